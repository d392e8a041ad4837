/* Another function releases what the member holds first; and the end of a list holds nothing alone. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
struct place { int folder; int depth; };
static void start(struct place *place) {
  place->folder = -1;
  place->depth = 0;
}
static void leave(const struct place *place) {
  if (place->folder >= 0) close(place->folder);
}
static int go_down(struct place *place, const char *name) {
  int next = openat(place->folder, name, O_RDONLY);
  if (next < 0) return -1;
  leave(place);
  place->folder = next;
  ++place->depth;
  return 0;
}
struct item { struct item *next; };
static struct item *first, *last;
static int append(void) {
  struct item *one = malloc(sizeof *one);
  if (one == NULL) return -1;
  one->next = NULL;
  if (last != NULL) last->next = one;
  else first = one;
  last = one;
  return 0;
}
int main(int argc, char **argv) {
  struct place *place = malloc(sizeof *place);
  if (place == NULL) return 1;
  start(place);
  if (append() != 0) return 1;
  for (int i = 1; i < argc; ++i) {
    if (go_down(place, argv[i]) != 0) break;
  }
  leave(place);
  free(place);
  return 0;
}
