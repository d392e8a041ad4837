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
int main(int argc, char **argv) {
  struct node one = {1, NULL};
  (void)argv;
  return run(&one, argc);
}
