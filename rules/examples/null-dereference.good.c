#include <stddef.h>
struct node { int value; struct node *next; };
int run(struct node *list, int value) {
  struct node *found = NULL;
  if (value > 0) found = list;
  if (found == NULL) return -1;
  return found->value;
}
int flagged(struct node *list, int value) {
  struct node *found = NULL;
  int ok = 0;
  if (value > 0) {
    found = list;
    ok = 1;
  }
  return ok ? found->value : 0;  /* the flag tells that there is one */
}
int main(int argc, char **argv) {
  struct node one = {1, NULL};
  (void)argv;
  return run(&one, argc) + flagged(&one, argc);
}
