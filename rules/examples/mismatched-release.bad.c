#include <stdlib.h>
#include <string.h>
/* C++ by its linker's names, as the examples are C */
void *make(unsigned long size) __asm__("_Znwm");
void *make_array(unsigned long size) __asm__("_Znam");
void destroy(void *what) __asm__("_ZdlPv");
int copied(const char *name) {
  char *h = strdup(name);  /* warn */
  if (h == NULL) return -1;
  destroy(h);
  return 0;
}
int made(int n) {
  int *h = make(sizeof *h);  /* warn */
  *h = n;
  free(h);
  return n;
}
static void drop(int *h) { destroy(h); }
int many(int n) {
  int *h = make_array(8 * sizeof *h);  /* warn */
  h[0] = n;
  drop(h);  /* delete, not delete[] */
  return n;
}
int main(int argc, char **argv) { return copied(argv[0]) + made(argc) + many(argc); }
