#include <stdlib.h>
#include <string.h>
/* C++ by its linker's names, as the examples are C */
void *make(unsigned long size) __asm__("_Znwm");
void *make_array(unsigned long size) __asm__("_Znam");
void destroy(void *what) __asm__("_ZdlPv");
void destroy_array(void *what) __asm__("_ZdaPv");
int copied(const char *name) {
  char *h = strdup(name);
  if (h == NULL) return -1;
  free(h);
  return 0;
}
int either(int n) {
  int *h = n > 1 ? make_array(n * sizeof *h) : make(sizeof *h);
  *h = n;
  if (n > 1) destroy_array(h); else destroy(h);  /* as it was made */
  return n;
}
int main(int argc, char **argv) { return copied(argv[0]) + either(argc); }
