#include <stdio.h>
int run(const char *name) {
  FILE *f;
  if ((f = fopen(name, "r")) == NULL) return -1;
  const int c = fgetc(f);
  fclose(f);
  return c;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
