/* A sum that has nothing of the pointer in it; an object that is not let go. */
#include <stdint.h>
#include <stdlib.h>
static void *const kNone = (void *)1;
static char *aligned(size_t size) {
  uintptr_t memory = (uintptr_t)malloc(size + 32);
  if (memory == 0) return NULL;
  char *start = (char *)((memory + 32 - 1) & ~(uintptr_t)15);
  ((unsigned char *)start)[-1] = (unsigned char)((uintptr_t)start - memory);
  return start;
}
static void *made(int wanted) {
  void *memory = wanted ? malloc(8) : kNone;
  return memory;
}
static void drop(void *memory) {
  if (memory == kNone || memory != NULL) return;
  free(memory);
}
int run(int wanted) {
  void *memory = made(wanted); /* warn: memory-leak */
  if (memory == NULL) return 1;
  drop(memory);
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  char *start = aligned((size_t)argc);
  if (start == NULL) return 1;
  free(start - start[-1]);
  return run(argc - 1);
}
