#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
/* Returns early while the lock that its caller took is held: neither function is wrong alone. */
static int finish(int amount) {
  if (amount < 0) return -1;
  count += amount;
  pthread_mutex_unlock(&lock);
  return 0;
}
int add(int amount) {
  pthread_mutex_lock(&lock);  /* warn */
  return finish(amount);
}
int main(int argc, char **argv) { (void)argv; return add(argc - 2); }
