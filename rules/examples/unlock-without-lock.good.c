#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void finish(void) { count++; pthread_mutex_unlock(&lock); }  /* for its callers */
int add(int amount) {
  pthread_mutex_lock(&lock);
  if (amount > 0) count += amount;
  finish();
  return count;
}
int main(int argc, char **argv) { (void)argv; return add(argc); }
