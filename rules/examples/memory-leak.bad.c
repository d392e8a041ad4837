#include <stdlib.h>
#include <string.h>
static int work(char *h) { return strcmp(h, "x"); }
int run(const char *name) {
  char *h = strdup(name);  /* warn */
  if (NULL == h) return -1;
  if (work(h) != 0) return -2;  /* h stays open */
  free(h);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
