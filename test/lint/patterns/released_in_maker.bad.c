/* A function that makes something releases it on some paths, and leaves it to its caller on others. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int input = -1;

static int open_input(const char *name) {
  char first;
  input = open(name, O_RDONLY);
  if (input < 0) return -1;
  if (read(input, &first, 1) != 1) {
    close(input);
    return -1;
  }
  return 0;
}

static int treat(const char *name) {
  if (open_input(name) < 0) return -1;
  if (puts(name) < 0) {
    return -1;
  }
  close(input);
  return 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    if (treat(argv[i]) < 0) failed = 1; /* warn: descriptor-leak */
  }
  return failed;
}
