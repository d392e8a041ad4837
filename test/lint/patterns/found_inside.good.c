/* What a function outside finds in the middle of a text holds the text, where it is stored. */
#include <stdlib.h>
#include <string.h>
struct place {
  char *file;
};
int watch(struct place *place, const char *name) {
  char *path = strdup(name);
  if (path == NULL) return -1;
  char *last = strrchr(path, '/');
  if (last == NULL) {
    free(path);
    return 0;
  }
  *last = 0;
  place->file = last + 1;
  return 1;
}
int main(int argc, char **argv) {
  struct place place = {NULL};
  return argc > 1 && watch(&place, argv[1]) > 0 ? place.file[0] : 0;
}
