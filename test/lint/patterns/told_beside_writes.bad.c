/* Somebody has stored where the local is, so that it may be written. */
#include <stdlib.h>
#include <string.h>
static char *written;
static const char *cell(const char *line, int at, int *is_copy) {
  if (line[at] != '@') {
    *is_copy = 0;
    return line + at;
  }
  char *copy = strdup("at");
  if (copy == NULL) abort();
  *is_copy = 1;
  return copy;
}
int collect(const char *line, int length, char *buffer) {
  int used = 0;
  for (int i = 0; i < length; ++i) {
    int is_copy;
    written = (char *)&is_copy;
    const char *what = cell(line, i, &is_copy); /* warn: memory-leak */
    written[0] = what[0];
    buffer[used++] = what[0];
    if (is_copy) free((void *)what);
  }
  return used;
}
int main(int argc, char **argv) {
  char buffer[100];
  return collect(argv[0], argc, buffer);
}
