/* Whether there is something to release is asked of another function, which looks at what it is
   given: the caller knows. */
#include <stdlib.h>
#include <string.h>
static int is_kept(const char *text) { return text[0] == '#'; }
static int drop(char *text) {
  if (is_kept(text)) return 0;
  free(text);
  return 1;
}
int run(const char *name) {
  char *text = strdup(name);
  if (text == NULL) return -1;
  return drop(text);
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
