/* What is computed by a function, two calls deep. */
#include <stdlib.h>
static int twice(int x) { return x + x; }
static int four_times(int x) { return twice(twice(x)); }
int run(int x) {
  char *p = malloc(8); /* refuted: memory-leak */
  if (p == NULL) return 1;
  if (four_times(x) & 2) return 1;
  free(p);
  return 0;
}
