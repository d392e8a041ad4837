/* A constant of the configuration decides at both ends. */
#include <stdlib.h>
#include <string.h>
struct options { int copies, keeps; };
static const int copies = 1;
static const struct options options = {1, 0};
int run(const char *name) {
  char *text = NULL;
  if (copies) text = strdup(name);
  if (options.keeps) return 1;
  if (options.copies) free(text);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
