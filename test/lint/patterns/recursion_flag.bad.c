/* The recursion carries whether the memory was freed already. */
#include <stdlib.h>
#include <string.h>
static void walk(char *text, int depth, int freed) {
  if (depth == 0) {
    if (!freed) free(text);
    return;
  }
  if (!freed && text[0] == '#') {
    free(text);  /* warn: double-free, use-after-free */
  }
  walk(text, depth - 1, freed);
}
int main(int argc, char **argv) {
  char *text = strdup(argv[0]);
  if (text == NULL) return 1;
  walk(text, argc, 0);
  return 0;
}
