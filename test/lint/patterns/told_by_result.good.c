/* The callee keeps it unless it fails, which its result tells: then it is released. */
#include <stdlib.h>
struct part {
  char *(*make)(int);
  struct state *state;
};
struct state {
  struct part *of;
};
static char *made(int n) { return malloc((size_t)n); }
static int begin(struct part *part, int level) {
  struct state *state;
  if (level < 0) return -2;
  if (part->make == NULL) part->make = made;
  state = (struct state *)part->make(64);
  if (state == NULL) return -3;
  state->of = part;
  part->state = state;
  return 0;
}
struct part *opened(int level);
struct part *opened(int level) {
  struct part *part = malloc(sizeof(struct part));
  if (part == NULL) return NULL;
  part->make = NULL;
  if (begin(part, level) != 0) {
    free(part);
    return NULL;
  }
  return part;
}
int main(int argc, char **argv) {
  struct part *part = opened(argc);
  int result = part != NULL;
  (void)argv;
  if (part != NULL) free(part->state);
  free(part);
  return result;
}
