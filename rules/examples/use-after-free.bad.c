#include <stdlib.h>
static char first(const char *text) { return text[0]; }
int run(char *p, int n) {
  if (n > 1) free(p);  /* warn */
  return first(p);
}
int main(int argc, char **argv) { (void)argv; return run(calloc(1, 3), argc); }
