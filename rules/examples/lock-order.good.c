#include <pthread.h>
static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int balance, entries;
static void *pay(void *amount) {
  pthread_mutex_lock(&accounts);
  balance -= *(int *)amount;
  pthread_mutex_lock(&journal);
  entries++;
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&accounts);
  return amount;
}
int main(void) {
  int amount = 1, total;
  pthread_t thread;
  if (pthread_create(&thread, NULL, pay, &amount) != 0) return 1;
  pthread_mutex_lock(&journal);
  total = entries;
  pthread_mutex_unlock(&journal);
  pthread_mutex_lock(&accounts);
  total += balance;
  pthread_mutex_unlock(&accounts);
  if (pthread_join(thread, NULL) != 0) return 1;
  return total;
}
