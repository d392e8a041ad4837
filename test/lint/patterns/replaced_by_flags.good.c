/* The member is written only where it holds nothing, which follows from bits that are tested twice. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
struct place { int folder; };
static int enter(struct place *place, const char *name, int flags) {
  if (place->folder >= 0 && (flags & 3) != 0) return -1;
  if ((flags & 1) != 0) place->folder = open(name, O_RDONLY);
  return 0;
}
static void leave(struct place *place) {
  if (place->folder >= 0) close(place->folder);
  free(place);
}
int main(int argc, char **argv) {
  struct place *place = malloc(sizeof *place);
  if (place == NULL) return 1;
  place->folder = -1;
  for (int i = 1; i < argc; ++i) enter(place, argv[i], argc * i);
  leave(place);
  return 0;
}
