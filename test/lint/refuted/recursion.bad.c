/* The number belongs to all calls, and the inner one changes it. */
#include <stdlib.h>
static int n;
static int down(void) {
  int result = 0;
  char *p = NULL;
  if (n < 1 || n > 100) return 0;
  if (n + 3 > 8) {
    p = malloc(8); /* warn: memory-leak */
    if (p == NULL) return 1;
  }
  n--;
  result = down();
  if (n > 5) free(p);
  return result;
}
int main(int argc, char **argv) { (void)argv; n = argc; return down(); }
