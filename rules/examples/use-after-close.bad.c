#include <stdio.h>
static void finish(FILE *f) { fclose(f); }  /* warn */
int run(FILE *f) {
  finish(f);
  return fputs("end", f);
}
int main(void) { return run(stdout); }
