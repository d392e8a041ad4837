/* What is left of a length may be 0. */
#include <stdlib.h>
#include <string.h>
static char *joined(const char *const *names) {
  char *text = NULL;
  size_t size = 0;
  for (; *names != NULL; ++names) {
    size_t length = strlen(*names);
    char *more = realloc(text, size + length + 1); /* warn: memory-leak */
    if (more == NULL) {
      free(text);
      return NULL;
    }
    text = more;
    strcpy(text + size, *names);
    size += length;
  }
  if (size == 0) return NULL;
  return text;
}
int main(int argc, char **argv) {
  const char *const names[] = {"one", argv[argc - 1], NULL};
  char *text = joined(names);
  if (text == NULL) return 1;
  free(text);
  return 0;
}
