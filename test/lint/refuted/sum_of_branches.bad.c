/* What two branches add can be odd. */
#include <stdlib.h>
int run(int a, int b) {
  int sum = 10;
  char *p = malloc(8); /* warn: memory-leak */
  if (p == NULL) return 1;
  if (a) sum += 2;
  if (b) sum += 5;
  if (sum & 1) return 1;
  free(p);
  return 0;
}
