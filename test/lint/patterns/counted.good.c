/* Who still holds it is counted: what is let go twice is freed once. */
#include <stdlib.h>
struct buffer {
  int holders;
  char *text;
};
static void let_go(struct buffer *buffer) {
  buffer->holders--;
  if (buffer->holders > 0) return;
  free(buffer->text);
  free(buffer);
}
static int used(struct buffer *buffer) {
  let_go(buffer);
  let_go(buffer);
  return 0;
}
int main(void) {
  struct buffer *buffer = malloc(sizeof *buffer);
  if (buffer == NULL) return 1;
  buffer->holders = 2;
  buffer->text = NULL;
  return used(buffer);
}
