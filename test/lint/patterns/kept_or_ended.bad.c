/* If it fails, nobody closes the descriptor. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void fatal(const char *text) {
  fputs(text, stderr);
  exit(2);
}
static FILE *opened(const char *path) {
  int fd = open(path, O_RDONLY); /* warn: descriptor-leak */
  FILE *file;
  if (fd < 0) fatal("cannot open");
  if (!(file = fdopen(fd, "r"))) return NULL;
  return file;
}
int main(int argc, char **argv) {
  FILE *file = opened(argv[argc - 1]);
  int c = file == NULL ? 0 : getc(file);
  if (file != NULL) fclose(file);
  return c;
}
