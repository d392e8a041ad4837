/* A constant of the configuration, or a variable of it that nobody writes, decides at both ends. */
#include <stdlib.h>
#include <string.h>
extern const int copies;  /* its value comes below, or the compiler itself decides the branches */
static int keeps = 1;
int run(const char *name) {
  char *text = NULL;  /* warn: unused-variable */
  if (name[0] == '#') text = strdup(name);  /* warn: memory-leak */
  if (keeps) return 1;
  if (copies) free(text);
  return 0;
}
const int copies = 1;
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
