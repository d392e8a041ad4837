/* Released twice only if a number is two things at once. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
int run(int n) {
  pthread_mutex_lock(&lock); /* refuted: lock-not-released */
  total += n;
  if (n <= 7) pthread_mutex_unlock(&lock); /* refuted: double-unlock */
  total--;
  if (n >= 8) pthread_mutex_unlock(&lock);
  return total;
}
