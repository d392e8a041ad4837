/* Only what is long enough is released. */
#include <stdlib.h>
static unsigned char *shifted(size_t size, unsigned char by) {
  unsigned char *memory = malloc(size + 256);
  if (memory == NULL) return NULL;
  memory += by + 1;
  memory[-1] = (unsigned char)(by + 1);
  return memory;
}
static void drop(unsigned char *memory) {
  free(memory - memory[-1]);
}
int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i) {
    unsigned char *memory = shifted(10, (unsigned char)argc); /* warn: memory-leak */
    if (memory == NULL) return 1;
    memory[0] = (unsigned char)argv[i][0];
    if (memory[0] != 0) drop(memory);
  }
  return 0;
}
