/* What is closed is not a standard stream: it is for the caller, who knows which. */
#include <fcntl.h>
#include <unistd.h>
void replace(int from, int to);
void replace(int from, int to) {
  for (int i = from; i < to; ++i) {
    close(i);
    open("/dev/null", O_RDWR); /* warn: descriptor-leak */
  }
}
int main(int argc, char **argv) {
  (void)argv;
  replace(argc + 5, argc + 10);
  return 0;
}
