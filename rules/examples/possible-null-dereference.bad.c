#include <stddef.h>
struct node { int value; struct node *next; };
static struct node *find(struct node *list, int value) {
  while (list != NULL && list->value != value) list = list->next;
  return list;
}
int run(struct node *list, int value) {
  struct node *found = NULL;  /* warn */
  if (value > 0) found = find(list, value);
  return found->value;  /* nothing was looked for */
}
static int value_of(struct node *node) { return node->value; }
int never(void) {
  struct node *none = NULL;  /* warn */
  return value_of(none);
}
int tested(struct node *list) {
  int found = 0;
  if (list != NULL) found = 1;  /* warn */
  return found + list->value;
}
int main(int argc, char **argv) {
  struct node one = {1, NULL};
  (void)argv;
  return run(&one, argc) + never() + tested(&one);
}
