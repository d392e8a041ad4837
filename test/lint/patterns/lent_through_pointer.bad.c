/* A call through a pointer whose targets only look at what they are given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
static int state_of(const char *name, struct stat *state, int follows) {
  int (*ask)(const char *, struct stat *) = follows ? stat : lstat;
  return ask(name, state);
}
int main(int argc, char **argv) {
  struct stat state;
  for (int i = 1; i < argc; ++i) {
    char *name = strdup(argv[i]); /* warn: memory-leak */
    if (name == NULL) return 1;
    if (state_of(name, &state, i) == 0) puts(name);
  }
  return 0;
}
