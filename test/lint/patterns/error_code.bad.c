/* Whether the callee freed the memory is told through three functions by an error code. */
#include <stdlib.h>
#include <string.h>
enum { DONE = 0, FAILED = -2 };
static int lowest(char *text) {
  if (text[0] == '#') {
    free(text);
    return FAILED;
  }
  return DONE;
}
static int middle(char *text) {
  int code = lowest(text);
  if (code != DONE) return code;
  return DONE;
}
static int highest(char *text) {
  int code = middle(text);
  return code;
}
int run(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  if (highest(text) > 0) return 2;  /* warn: double-free */
  free(text);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
