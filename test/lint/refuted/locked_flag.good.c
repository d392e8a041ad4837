/* A flag tells whether the lock is held. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int work(int n);
int run(int n) {
  int locked = 0;
  int result;
  if (n > 3) {
    pthread_mutex_lock(&lock);
    locked = 1;
  }
  result = work(n);
  if (locked) pthread_mutex_unlock(&lock);
  return result;
}
