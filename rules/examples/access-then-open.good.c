#include <fcntl.h>
#include <unistd.h>
int write_to(const char *name, const char *other) {
  if (access(name, W_OK) != 0) return -1;
  name = other;
  return open(name, O_WRONLY);
}
int main(int argc, char **argv) { return argc > 2 ? write_to(argv[1], argv[2]) : 0; }
