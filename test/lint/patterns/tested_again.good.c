/* The descriptor itself says at the end whether there is one. */
#include <fcntl.h>
#include <unistd.h>
int run(const char *name, int n) {
  int fd = -1;
  char first = 0;
  if (n > 1) fd = open(name, O_RDONLY);
  if (fd != -1 && read(fd, &first, 1) != 1) first = 0;
  if (fd != -1) close(fd);
  return first;
}
int main(int argc, char **argv) { return run(argv[0], argc); }
