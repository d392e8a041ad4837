/* Nothing sets the bit that is asked for. */
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
  struct node *node = create(linked); /* warn: memory-leak */
  int flags = node->flags;
  if (node->flags & 2) free(node);
  return flags;
}
int main(int argc, char **argv) {
  (void)argv;
  return pass(argc > 1);
}
