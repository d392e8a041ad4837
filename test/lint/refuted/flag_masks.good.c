/* Two flags together, and one of them. */
#include <stdlib.h>
int run(int flags) {
  char *p = NULL;
  if ((flags & 12) == 12) {
    p = malloc(8); /* refuted: memory-leak */
    if (p == NULL) return 1;
  }
  if (flags & 4) free(p);
  return 0;
}
