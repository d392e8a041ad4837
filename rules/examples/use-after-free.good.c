#include <stdlib.h>
static char first(const char *text) { return text[0]; }
int run(char *p) {
  const int result = first(p);
  free(p);
  return result;
}
int main(void) { return run(calloc(1, 3)); }
