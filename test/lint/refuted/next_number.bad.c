/* The largest number has one that follows it, which is less. */
#include <stdlib.h>
int run(unsigned x, unsigned y) {
  char *p = NULL;
  if (x + 1 == y) {
    p = malloc(8); /* warn: memory-leak */
    if (p == NULL) return 1;
  }
  if (x < y) free(p);
  return 0;
}
