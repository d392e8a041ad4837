/* The loop changes one number, and not the other. */
#include <stdlib.h>
int run(int count, int wanted) {
  int i;
  int seen = 0;
  char *p = NULL;
  if (wanted + 2 > 5) {
    p = malloc(8); /* refuted: memory-leak */
    if (p == NULL) return 1;
  }
  if (wanted > 9) wanted = 9;
  for (i = 0; i < count; i++) seen += i;
  if (wanted > 3) free(p);
  return seen;
}
