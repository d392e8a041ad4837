/* One of two flags, and the other. */
#include <stdlib.h>
int run(int flags) {
  char *p = NULL;
  if ((flags & 12) != 0) {
    p = malloc(8); /* warn: memory-leak */
    if (p == NULL) return 1;
  }
  if (flags & 4) free(p);
  return 0;
}
