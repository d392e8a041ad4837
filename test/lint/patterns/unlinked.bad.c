/* Nothing takes the element out of the list: the next round finds it again. */
#include <stdlib.h>
struct element {
  struct element *next;
  struct element **back; /* where the pointer to this one is */
  char *text;
};
struct list {
  int count;
  struct element *first;
};
void clear(struct list *list) {
  struct element *e;
  while ((e = list->first) != NULL) {
    if (e->next != NULL) e->next->back = e->back;
    list->count--;
    free(e->text); /* warn: double-free */
    free(e); /* warn: double-free, use-after-free */
  }
}
int main(void) {
  struct list list = {0, NULL};
  clear(&list);
  return 0;
}
