/* A stream takes its descriptor over, but not if it cannot be made. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static FILE *safely(const char *name) {
  FILE *file;
  int descriptor = open(name, O_RDONLY);  /* warn: descriptor-leak */
  if (descriptor == -1) return NULL;
  file = fdopen(descriptor, "r");
  return file;
}
int main(int argc, char **argv) {
  FILE *file = safely(argv[argc - 1]);
  if (file == NULL) return 1;
  return fclose(file);
}
