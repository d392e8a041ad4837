/* The loop may change the number that decides. */
#include <stdlib.h>
int run(int count, int wanted) {
  int i;
  char *p = NULL;
  if (wanted > 9) wanted = 9;
  if (wanted + 2 > 5) {
    p = malloc(8); /* warn: memory-leak */
    if (p == NULL) return 1;
  }
  for (i = 0; i < count; i++) wanted -= i;
  if (wanted > 3) free(p);
  return 0;
}
