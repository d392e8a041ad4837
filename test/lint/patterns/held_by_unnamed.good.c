/* What a callee stores in something that was there before is held by it, also where no place that is
   followed leads there any more. */
#include <stdlib.h>
struct buffer {
  char *text;
  size_t used, size;
};
struct queue {
  struct buffer *last;
};
static void grow(struct buffer *buffer, size_t size) {
  buffer->text = realloc(buffer->text, size);
  if (buffer->text == NULL) abort();
  buffer->size = size;
}
static char *extend(struct buffer *buffer, size_t by) {
  if (buffer->used + by > buffer->size) grow(buffer, buffer->used + by);
  buffer->used += by;
  return buffer->text + (buffer->used - by);
}
void put(struct queue *queue, char letter) { *extend(queue->last, 1) = letter; }
int main(int argc, char **argv) {
  struct buffer buffer = {NULL, 0, 0};
  struct queue queue = {&buffer};
  (void)argv;
  put(&queue, (char)argc);
  free(buffer.text);
  return 0;
}
