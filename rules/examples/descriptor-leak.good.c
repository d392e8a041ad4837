#include <fcntl.h>
#include <unistd.h>
static int work(int h) {
  int result = (int)lseek(h, 0, SEEK_END);
  close(h);
  return result;
}
int run(const char *name) {
  int h = open(name, O_RDONLY);
  if (h < 0) return -1;
  return work(h);  /* closes it on every path */
}
int give(const char *name) {
  int h = open(name, O_RDONLY);
  return h;  /* the caller's from here on */
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
