#include <stdio.h>
int run(const char *name) {
  FILE *f = fopen(name, "r");  /* warn */
  const int c = fgetc(f);
  fclose(f);
  return c;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
