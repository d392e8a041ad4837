/* A function stores what it makes where a pointer leads, to a member of what its caller has made. */
#include <stdlib.h>
#include <string.h>
struct options {
  char *name;
  char *place;
};
static void drop(struct options *options) {
  free(options->name);
  free(options->place);
  free(options);
}
static int take(char **to, const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) return -1;
  *to = copy;
  return 0;
}
struct options *read_options(const char *name, const char *place) {
  struct options *options = calloc(1, sizeof *options);
  if (options == NULL) return NULL;
  if (take(&options->name, name) != 0 || take(&options->place, place) != 0) {
    drop(options);
    return NULL;
  }
  return options;
}
int main(int argc, char **argv) {
  struct options *options = argc > 2 ? read_options(argv[1], argv[2]) : NULL;
  if (options != NULL) drop(options);
  return 0;
}
