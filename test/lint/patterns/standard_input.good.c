/* The number that was closed is given to what is opened next: standard input is another file then. */
#include <fcntl.h>
#include <unistd.h>
int detach(void) {
  close(0);
  if (open("/dev/null", O_RDONLY) < 0) return 1;
  return 0;
}
int main(void) { return detach(); }
