#include <stdio.h>

int main(int argc, char **argv) {
  FILE *out = fopen(argv[argc - 1], "w");
  if (out == NULL) {
    return 1;
  }
  fprintf(out, "%d\n", argc); /* warn */
  fputs(argv[0], out); /* warn */
  fclose(out); /* warn */
  return 0;
}
