#include <fcntl.h>
#include <unistd.h>
static int open_it(const char *path) { return open(path, O_WRONLY); }
int write_to(const char *name) {
  if (access(name, W_OK) != 0) return -1;  /* warn */
  return open_it(name);
}
int main(int argc, char **argv) { return argc > 1 ? write_to(argv[1]) : 0; }
