/* rule: member-leak. Of two structures of one name, the one that is released has the member. */
#include <stdlib.h>
#include <string.h>
struct item {
  size_t size;
  char *copy;
};
static struct item *items[16];
static void add(int at, const char *text) {
  struct item *item = malloc(sizeof *item);
  if (item == NULL) abort();
  item->copy = strdup(text);
  if (item->copy == NULL) abort();
  item->size = strlen(item->copy);
  items[at & 15] = item;
}
static size_t take(int at) {
  struct item *item = items[at & 15];
  if (item == NULL) return 0;
  size_t size = item->size;
  items[at & 15] = NULL;
  free(item); /* warn: member-leak */
  return size;
}
static size_t counted(size_t number) {
  struct item {
    size_t number;
  };
  struct item *item = malloc(sizeof *item);
  if (item == NULL) abort();
  item->number = number;
  number = item->number;
  free(item);
  return number;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) add(i, argv[i]);
  return take(1) > counted(take(2));
}
