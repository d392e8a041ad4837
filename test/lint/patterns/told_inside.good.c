/* A bit in the thing itself tells whether it is in the list. */
#include <stdlib.h>
struct node {
  struct node *next;
  int flags;
};
static struct node *nodes;
static struct node *create(int linked) {
  struct node *node = calloc(1, sizeof *node);
  if (node == NULL) abort();
  if (linked) {
    node->flags |= 1;
    node->next = nodes;
    nodes = node;
  }
  return node;
}
int pass(int linked) {
  struct node *node = create(linked);
  int flags = node->flags;
  if (~node->flags & 1) free(node);
  return flags;
}
int main(int argc, char **argv) {
  (void)argv;
  return pass(argc > 1);
}
