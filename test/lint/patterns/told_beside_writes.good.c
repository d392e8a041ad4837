/* What a function tells through a pointer to a local stays, whatever is written to a buffer: nobody
   has stored where the local is. */
#include <stdlib.h>
#include <string.h>
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
    const char *what = cell(line, i, &is_copy);
    buffer[used++] = what[0];
    if (is_copy) free((void *)what);
  }
  return used;
}
int main(int argc, char **argv) {
  char buffer[100];
  return collect(argv[0], argc, buffer);
}
