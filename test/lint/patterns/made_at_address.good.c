/* Made where an argument points to, in a function that hands it out: what is released there is not
   lost when its name is overwritten. */
#include <stdlib.h>
#include <sys/mman.h>
static void *base;
static void *chunk(size_t size) {
  void *memory = NULL;
  int failed = posix_memalign(&memory, 4096, size);
  if (failed != 0) return NULL;
  failed = madvise(memory, size, MADV_HUGEPAGE);
  if (failed < 0) {
    free(memory);
    memory = NULL;
  }
  return memory;
}
int main(int argc, char **argv) {
  (void)argv;
  base = chunk((size_t)argc * 4096);
  return base == NULL;
}
