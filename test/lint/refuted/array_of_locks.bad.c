/* One element of an array is one lock. */
#include <pthread.h>
static pthread_mutex_t locks[8];
static int total;
int run(int amount) {
  pthread_mutex_lock(&locks[3]); /* warn: double-lock */
  if (amount > 2) pthread_mutex_lock(&locks[3]);
  total++;
  pthread_mutex_unlock(&locks[3]);
  return total;
}
