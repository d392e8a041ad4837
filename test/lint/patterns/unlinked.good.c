/* A list is emptied: what the head leads to is another one after each removal, though the write that
   changes it goes by way of the element. */
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
    *e->back = e->next;
    free(e->text);
    free(e);
  }
}
int main(void) {
  struct list list = {0, NULL};
  clear(&list);
  return 0;
}
