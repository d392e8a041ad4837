/* A call that keeps the descriptor unless it fails; if it fails, the program ends. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void fatal(const char *text) {
  fputs(text, stderr);
  exit(2);
}
static FILE *opened(const char *path) {
  int fd = open(path, O_RDONLY);
  FILE *file;
  if (fd < 0 || !(file = fdopen(fd, "r"))) fatal("cannot open");
  return file;
}
int main(int argc, char **argv) {
  FILE *file = opened(argv[argc - 1]);
  int c = getc(file);
  fclose(file);
  return c;
}
