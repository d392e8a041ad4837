#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void leave(void) { pthread_mutex_unlock(&lock); }
int main(int argc, char **argv) {
  (void)argv;
  pthread_mutex_lock(&lock);
  if (argc > 1) pthread_mutex_unlock(&lock);  /* warn */
  leave();
  return 0;
}
