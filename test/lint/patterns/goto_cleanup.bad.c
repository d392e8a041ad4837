/* Cleanup at the end, where a flag says what there is to clean. */
#include <stdlib.h>
#include <string.h>
int run(const char *name, int n) {
  int result = -1;
  int have_first = 0, have_second = 0;
  char *first, *second;
  first = strdup(name);  /* warn: memory-leak */
  if (first == NULL) goto out;
  if (n < 2) goto out;  /* the flag comes too late */
  have_first = 1;
  second = malloc(n);
  if (second == NULL) goto out;
  have_second = 1;
  memset(second, 0, n);
  result = strcmp(first, second);
out:
  if (have_second) free(second);
  if (have_first) free(first);
  return result;
}
int main(int argc, char **argv) { return run(argv[0], argc); }
