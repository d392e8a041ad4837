#include <stdlib.h>
#include <string.h>
static int work(char *h) {
  int result = strcmp(h, "x");
  free(h);
  return result;
}
int run(const char *name) {
  char *h = strdup(name);
  if (NULL == h) return -1;
  return work(h);  /* closes it on every path */
}
char *give(const char *name) {
  char *h = strdup(name);
  return h;  /* the caller's from here on */
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
