/* The same, asked for a bit that it can have. */
#include <stdlib.h>
static int twice(int x) { return x + x; }
static int four_times(int x) { return twice(twice(x)); }
int run(int x) {
  char *p = malloc(8); /* warn: memory-leak */
  if (p == NULL) return 1;
  if (four_times(x) & 4) return 1;
  free(p);
  return 0;
}
