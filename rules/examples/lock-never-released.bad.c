#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void begin(void) { pthread_mutex_lock(&lock); }
static void end(void) { pthread_mutex_unlock(&lock); }
static void add(int amount) {
  begin();
  count += amount;
  end();
}
static int look(void) {
  pthread_mutex_lock(&lock); /* warn */
  return count;
}
int main(int argc, char **argv) {
  (void)argv;
  add(argc);
  return look();
}
