#include <unistd.h>
int run(int fd, int n) {
  if (n > 1) close(fd);  /* warn */
  return close(fd);
}
int main(int argc, char **argv) { (void)argv; return run(0, argc); }
