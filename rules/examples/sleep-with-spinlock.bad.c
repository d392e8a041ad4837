#include <pthread.h>
#include <unistd.h>
static pthread_spinlock_t lock;
static void pause_a_bit(void) { usleep(10); }
int main(void) {
  pthread_spin_lock(&lock);  /* warn */
  pause_a_bit();
  pthread_spin_unlock(&lock);
  return 0;
}
