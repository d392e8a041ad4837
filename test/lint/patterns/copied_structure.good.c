/* rule: member-leak. A copy of the whole structure holds what its members hold. */
#include <stdlib.h>
#include <string.h>
struct range {
  int is_copy;
  int low;
  char *name;
};
static struct range *ranges[4];
static void add(const char *name) {
  ranges[0] = calloc(1, sizeof *ranges[0]);
  if (ranges[0] == NULL) abort();
  ranges[0]->name = strdup(name);
  if (ranges[0]->name == NULL) abort();
}
static void copy(const struct range *from, int low) {
  struct range *range = malloc(sizeof *range);
  if (range == NULL || from->low > low) abort();
  *range = *from;
  range->is_copy = 1;
  range->low = low;
  ranges[low & 3] = range;
}
static void drop(struct range *range) {
  if (range != NULL && range->is_copy) free(range);
}
int main(int argc, char **argv) {
  add(argv[0]);
  for (int i = 1; i < argc; ++i) copy(ranges[0], i);
  for (int i = 1; i < 4; ++i) drop(ranges[i]);
  return ranges[0]->name[0] == 'x';
}
