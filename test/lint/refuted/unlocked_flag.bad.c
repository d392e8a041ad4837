/* Released twice for one number. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
int run(int n) {
  pthread_mutex_lock(&lock); /* refuted: lock-not-released */
  total += n;
  if (n < 9) pthread_mutex_unlock(&lock); /* warn: double-unlock */
  total--;
  if (n >= 8) pthread_mutex_unlock(&lock);
  return total;
}
