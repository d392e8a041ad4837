/* A call through a pointer one of whose targets keeps what it is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *last;
static void show(char *name) { puts(name); }
static void remember(char *name) {
  free(last);
  last = name;
}
static void tell(char *name, int remembers) {
  void (*to)(char *) = remembers ? remember : show;
  to(name);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    char *name = strdup(argv[i]);
    if (name == NULL) return 1;
    tell(name, argc > 0);
  }
  free(last);
  return 0;
}
