/* What is made comes back through a parameter, and only where the result says so. */
#include <stdlib.h>
#include <string.h>
static int fetch(char **to, const char *name) {
  char *copy;
  if (name[0] == '#') return -1;
  copy = strdup(name);
  if (copy == NULL) return -1;
  *to = copy;
  return 0;
}
int run(const char *name) {
  char *text;
  int result;
  if (fetch(&text, name) != 0) return 1;  /* warn: memory-leak */
  result = strcmp(text, "x");
  if (result < 0) return 2;
  free(text);
  return result;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
