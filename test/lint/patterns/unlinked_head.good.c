/* The head of the list looks like an element: what takes the last element out writes to it, through
   a pointer of the elements' type. */
#include <stdlib.h>
struct tag {
  struct tag *next, *prev;
  char *file;
};
struct tag_list {
  struct tag *first, *last;
};
#define END ((struct tag *)&tags)
static struct tag_list tags = {END, END};
void clear(void) {
  struct tag *t;
  while ((t = tags.first) != END) {
    t->next->prev = t->prev;
    t->prev->next = t->next;
    free(t->file);
    free(t);
  }
}
int main(void) {
  clear();
  return 0;
}
