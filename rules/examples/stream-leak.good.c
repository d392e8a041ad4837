#include <stdio.h>
static int work(FILE *h) {
  int result = fgetc(h);
  fclose(h);
  return result;
}
int run(const char *name) {
  FILE *h = fopen(name, "r");
  if (h == NULL) return -1;
  return work(h);  /* closes it on every path */
}
FILE *give(const char *name) {
  FILE *h = fopen(name, "r");
  return h;  /* the caller's from here on */
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
