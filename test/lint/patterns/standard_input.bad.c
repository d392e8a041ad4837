/* Nothing was closed, and nobody knows the number. */
#include <fcntl.h>
#include <unistd.h>
int detach(void) {
  if (open("/dev/null", O_RDONLY) < 0) return 1; /* warn: descriptor-leak */
  return 0;
}
int main(void) { return detach(); }
