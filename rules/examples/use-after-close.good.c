#include <stdio.h>
static void finish(FILE *f) { fclose(f); }
int run(FILE *f) {
  const int result = fputs("end", f);
  finish(f);
  f = stderr;
  fputs("done", f);
  return result;
}
int main(void) { return run(stdout); }
