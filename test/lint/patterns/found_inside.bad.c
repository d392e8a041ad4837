/* Where nothing is found there is nothing to hold the text. */
#include <stdlib.h>
#include <string.h>
struct place {
  char *file;
};
int watch(struct place *place, const char *name) {
  char *path = strdup(name); /* warn: memory-leak */
  if (path == NULL) return -1;
  char *last = strrchr(path, '/');
  if (last == NULL) {
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
