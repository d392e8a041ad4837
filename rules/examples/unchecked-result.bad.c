#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void make(const char *name) {
  if (mkdir(name, 0755) != 0) {
    perror(name);
    exit(1);
  }
}

static int write_all(FILE *out, const char *text, size_t length) {
  if (fwrite(text, 1, length, out) != length) {
    return -1;
  }
  return fwrite("\n", 1, 1, out) == 1 ? 0 : -1;
}

int main(int argc, char **argv) {
  make(argv[0]);
  if (argc > 1 && mkdir(argv[1], 0700) != 0) {
    return 1;
  }
  mkdir("logs", 0700); /* warn */
  fwrite("{", 1, 1, stdout); /* warn */
  printf("%d\n", argc);
  return write_all(stdout, argv[0], 1);
}
