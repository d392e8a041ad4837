/* The caller takes it the wrong way round. */
#include <stdlib.h>
#include <string.h>
static const char *plain(const char *text, int *is_copy, size_t *length) {
  if (text[0] == '@') {
    char *copy = strdup(text + 1);
    if (copy == NULL) abort();
    *is_copy = 0;
    *length = strlen(copy);
    return copy;
  }
  *is_copy = 1;
  *length = strlen(text);
  return text;
}
int last_of(const char *text) {
  int is_copy;
  size_t length;
  const char *what = plain(text, &is_copy, &length); /* warn: memory-leak */
  int letter = what[length - 1];
  if (is_copy) return letter;
  return letter + 1;
}
int main(int argc, char **argv) { return last_of(argv[argc - 1]); }
