/* A function looks at what a member holds, and writes something else there. */
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
  place->folder = next; /* warn: overwritten-leak */
  ++place->depth;
  return 0;
}
int main(int argc, char **argv) {
  struct place *place = malloc(sizeof *place);
  if (place == NULL) return 1;
  start(place);
  for (int i = 1; i < argc; ++i) {
    if (go_down(place, argv[i]) != 0) break; /* warn: descriptor-leak */
  }
  leave(place);
  free(place);
  return 0;
}
