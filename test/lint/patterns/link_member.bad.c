/* rule: member-leak. An element is released without its name. */
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  char *name;
};
static struct item *items;
static struct item *made(const char *name) {
  struct item *one = malloc(sizeof *one);
  if (one == NULL) abort();
  one->next = NULL;
  one->name = strdup(name);
  return one;
}
static void append(const char *name) {
  struct item *last = items;
  if (last == NULL) {
    items = made(name);
    return;
  }
  while (last->next != NULL) last = last->next;
  last->next = made(name);
}
static void drop(struct item *one) {
  if (one->next == one) abort();
  free(one); /* warn: member-leak */
}
static void drop_all(void) {
  struct item *one = items;
  items = NULL;
  while (one != NULL) {
    struct item *after = one->next;
    drop(one);
    one = after;
  }
}
int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i) append(argv[i]);
  drop_all();
  return 0;
}
