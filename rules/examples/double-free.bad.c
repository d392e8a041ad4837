#include <stdlib.h>
static void discard(char *text) { free(text); }
int run(char *p, int n) {
  if (n > 1) discard(p);  /* warn */
  free(p);
  return 0;
}
/* Through a pointer that can only be one function. */
int run_known(char *p) {
  void (*end)(char *) = discard;
  end(p);  /* warn */
  free(p);
  return 0;
}
int main(int argc, char **argv) { (void)argv; return run(malloc(3), argc) + run_known(malloc(3)); }
