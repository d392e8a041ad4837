#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void add(int n) {
  pthread_mutex_lock(&lock);
  count += n;
  pthread_mutex_unlock(&lock);
}
int main(void) {
  pthread_mutex_lock(&lock);  /* warn */
  add(1);
  pthread_mutex_unlock(&lock);
  return count;
}
