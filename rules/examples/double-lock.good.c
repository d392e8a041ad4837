#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void add(int n) {
  pthread_mutex_lock(&lock);
  count += n;
  pthread_mutex_unlock(&lock);
}
int main(void) {
  add(1);
  add(2);
  return count;
}
