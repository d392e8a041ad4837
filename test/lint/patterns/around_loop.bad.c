/* The same condition before a loop, in it and behind it. */
#include <stdio.h>
#include <stdlib.h>
int run(int count, int verbose) {
  char *line = NULL;
  int i;
  if (verbose) {
    line = malloc(80);  /* warn: memory-leak */
    if (line == NULL) return 1;
  }
  for (i = 0; i < count; i++) {
    if (verbose) {
      snprintf(line, 80, "%d", i);
      puts(line);
    }
  }
  if (!verbose) free(line);
  return 0;
}
int main(int argc, char **argv) { (void)argv; return run(argc, argc > 3); }
