/* Nothing takes the element out: the next round finds it again. */
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
    free(t->file);
    free(t); /* warn: use-after-free */
  }
}
int main(void) {
  clear();
  return 0;
}
