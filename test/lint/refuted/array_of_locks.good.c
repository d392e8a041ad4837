/* Two elements of an array are two locks. */
#include <pthread.h>
static pthread_mutex_t locks[8];
static int total;
int run(int i, int j) {
  pthread_mutex_lock(&locks[i]);
  pthread_mutex_lock(&locks[j]);
  total++;
  pthread_mutex_unlock(&locks[j]);
  pthread_mutex_unlock(&locks[i]);
  return total;
}
