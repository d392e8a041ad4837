/* Taken and released by the same number, which is compared in two ways. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
int run(int n) {
  if (n > 3) pthread_mutex_lock(&lock);
  total += n;
  if (n >= 4) pthread_mutex_unlock(&lock);
  return total;
}
