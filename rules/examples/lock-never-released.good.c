#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
/* It is taken for the caller, who releases it. */
static void begin(void) { pthread_mutex_lock(&lock); }
static void end(pthread_mutex_t *which) { pthread_mutex_unlock(which); }
static void add(int amount) {
  begin();
  count += amount;
  end(&lock);
}
static int look(void) {
  pthread_mutex_lock(&lock);
  int now = count;
  pthread_mutex_unlock(&lock);
  return now;
}
int main(int argc, char **argv) {
  (void)argv;
  add(argc);
  return look();
}
