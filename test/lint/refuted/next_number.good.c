/* What follows a number is larger than it, unless there is none. */
#include <stdlib.h>
int run(int x, int y) {
  char *p = NULL;
  if (x > 1000) return 1;
  if (x + 1 == y) {
    p = malloc(8); /* refuted: memory-leak */
    if (p == NULL) return 1;
  }
  if (x < y) free(p);
  return 0;
}
