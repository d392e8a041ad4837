/* A buffer that the function has made itself is known to nobody else. */
#include <stdlib.h>
struct buffer {
  char *text;
  size_t used, size;
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
char put(char letter) {
  struct buffer buffer = {NULL, 0, 0};
  char *end = extend(&buffer, 1); /* warn: memory-leak */
  *end = letter;
  return *end;
}
int main(int argc, char **argv) {
  (void)argv;
  return put((char)argc);
}
