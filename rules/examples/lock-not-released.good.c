#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int finish(int amount) {
  int result = -1;
  if (amount >= 0) {
    count += amount;
    result = 0;
  }
  pthread_mutex_unlock(&lock);
  return result;
}
/* Takes it for its caller: it is released on no path, so that is on purpose. */
static void begin(void) { pthread_mutex_lock(&lock); }
int add(int amount) {
  begin();
  return finish(amount);
}
int main(int argc, char **argv) { (void)argv; return add(argc - 2); }
