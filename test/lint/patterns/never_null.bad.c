/* This one does at times. */
#include <stdlib.h>
static void *made(size_t size) {
  void *memory = malloc(size);
  if (!memory && size > 100) abort();
  return memory;
}
int run(int count) {
  char *first = malloc(10); /* warn: memory-leak */
  if (first == NULL) return 0;
  char *second = made((size_t)count);
  if (second == NULL) return 0;
  first[0] = second[0] = 0;
  free(second);
  free(first);
  return 1;
}
int main(int argc, char **argv) {
  (void)argv;
  return run(argc);
}
