/* rule: member-leak. Structures of one name are not one structure: the members of one are not the other's. */
#include <stdlib.h>
#include <string.h>
static size_t measured(const char *text) {
  struct item {
    size_t size;
    char *copy;
  };
  struct item *item = malloc(sizeof *item);
  if (item == NULL) abort();
  item->copy = strdup(text);
  if (item->copy == NULL) abort();
  item->size = strlen(item->copy);
  size_t size = item->size;
  free(item->copy);
  free(item);
  return size;
}
static void *items[16];
static void add(int at, size_t number) {
  struct item {
    size_t number;
  };
  struct item *item = malloc(sizeof *item);
  if (item == NULL) abort();
  item->number = number;
  items[at & 15] = item;
}
static size_t take(int at) {
  struct item {
    size_t number;
  };
  struct item *item = items[at & 15];
  if (item == NULL) return 0;
  size_t number = item->number;
  items[at & 15] = NULL;
  free(item);
  return number;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) add(i, measured(argv[i]));
  return take(1) > take(2);
}
