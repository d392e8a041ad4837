/* What is opened takes the numbers of the standard streams, which were closed one after the other. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void replace(void) {
  for (int i = 0; i < 3; ++i) {
    close(i);
    open("/dev/null", O_RDWR);
  }
}
static void replace_all(int but) {
  for (int fd = 0; fd < 1024; ++fd) {
    if (fd != but) close(fd);
  }
  if (open("/dev/null", O_RDONLY) < 0 || open("/dev/null", O_WRONLY) < 0) abort();
}
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) replace();
  replace_all(argc);
  return 0;
}
