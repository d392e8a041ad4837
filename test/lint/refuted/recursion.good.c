/* Each call has a number of its own. */
#include <stdlib.h>
static int down(int n) {
  int result = 0;
  char *p = NULL;
  if (n < 1) return 0;
  if (n + 3 > 8) {
    p = malloc(8); /* refuted: memory-leak */
    if (p == NULL) return 1;
  }
  result = down(n - 1);
  if (n > 5) free(p);
  return result;
}
int main(int argc, char **argv) { (void)argv; return argc > 100 ? 0 : down(argc); }
