/* An assertion ends the path on which the memory would be lost. */
#undef NDEBUG
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int run(const char *name, int n) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  assert(n > 0);
  if (n > 0) free(text);
  return 0;
}
int main(int argc, char **argv) { return run(argv[0], argc); }
