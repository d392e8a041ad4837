#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
int add(int amount) {
  if (amount > 0) {
    pthread_mutex_lock(&lock);
    count += amount;
  }
  pthread_mutex_unlock(&lock);  /* warn */
  return count;
}
int main(int argc, char **argv) { (void)argv; return add(argc); }
