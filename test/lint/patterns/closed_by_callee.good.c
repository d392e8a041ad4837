/* The callee closes it on every path, and nobody else could. */
#include <stdio.h>
static int copied(FILE *in) {
  int c = getc(in);
  if (c == EOF || ferror(in)) {
    fclose(in);
    return 0;
  }
  while ((c = getc(in)) != EOF) putchar(c);
  fclose(in);
  return 1;
}
static int shown(const char *path) {
  FILE *in = fopen(path, "r");
  if (in == NULL) return 0;
  return copied(in);
}
int main(int argc, char **argv) { return shown(argv[argc - 1]); }
