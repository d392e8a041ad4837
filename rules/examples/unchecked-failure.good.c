#include <stdio.h>

int main(int argc, char **argv) {
  FILE *out = fopen(argv[argc - 1], "w");
  if (out == NULL) {
    return 1;
  }
  int failed = fprintf(out, "%d\n", argc) < 0;
  failed |= fputs(argv[0], out) == EOF;
  (void)fflush(out);
  (void)
      fflush(stdout);
  return fclose(out) != 0 || failed;
}
