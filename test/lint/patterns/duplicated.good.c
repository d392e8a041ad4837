/* fcntl makes a descriptor, if that is what it is asked for. */
#include <fcntl.h>
#include <unistd.h>

static int copy(int fd) {
  return fcntl(fd, F_DUPFD, 10);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < argc; ++i) {
    int other = copy(0);
    if (other < 0) return 1;
    int flags = fcntl(other, F_GETFD);
    if (flags < 0) {
      close(other);
      continue;
    }
    close(other);
  }
  return 0;
}
