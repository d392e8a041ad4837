#include <stdio.h>
static int work(FILE *h) { return fgetc(h); }
int run(const char *name) {
  FILE *h = fopen(name, "r");  /* warn */
  if (h == NULL) return -1;
  if (work(h) != 0) return -2;  /* h stays open */
  fclose(h);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
