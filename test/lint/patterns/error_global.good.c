/* Failure is told by a global, as errno does: set here, or by another function and tested twice. */
#include <stdlib.h>
#include <string.h>
static int error;
int here(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  error = 0;
  if (text[0] == '#') {
    error = 5;
    free(text);
  }
  if (error != 0) return error;
  free(text);
  return 0;
}
static void look(const char *text) {
  error = 0;
  if (text[0] == '#') error = 5;
}
int elsewhere(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  look(text);
  if (error != 0) free(text);
  if (error != 0) return error;
  free(text);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? here(argv[1]) + elsewhere(argv[1]) : 0; }
