/* Failure is told by a global, as errno does: set here, or by another function. */
#include <stdlib.h>
#include <string.h>
static int error;
int here(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  error = 0;
  if (text[0] == '#') {
    error = 5;
    free(text);  /* warn: double-free */
  }
  if (error == 4) return error;
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
  if (error != 0) free(text);  /* warn: double-free */
  free(text);
  return 0;
}
static void consume(char *text) {
  if (text[0] == '#') {
    error = 5;
    return;
  }
  free(text);
}
int told(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return 1;
  error = 0;
  consume(text);  /* warn: double-free */
  if (error == 0) free(text);
  return error;
}
int main(int argc, char **argv) { return argc > 1 ? here(argv[1]) + elsewhere(argv[1]) + told(argv[1]) : 0; }
