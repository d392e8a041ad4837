#include <stdlib.h>
static void discard(char *text) { free(text); }
int run(char *p, int n) {
  if (n > 1) {
    discard(p);
    p = NULL;
  }
  if (n < 5) free(p);
  return 0;
}
int main(int argc, char **argv) { (void)argv; return run(malloc(3), argc); }
