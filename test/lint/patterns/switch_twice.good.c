/* The same enumeration decides what is made, and then what is released. */
#include <stdlib.h>
#include <string.h>
enum kind { NOTHING, COPY, BUFFER };
int run(const char *name, enum kind kind) {
  char *text = NULL;
  switch (kind) {
    case NOTHING: break;
    case COPY: text = strdup(name); break;
    case BUFFER: text = malloc(100); break;
  }
  switch (kind) {
    case NOTHING: break;
    case COPY: free(text); break;
    case BUFFER: free(text); break;
  }
  return 0;
}
int main(int argc, char **argv) { return run(argv[0], argc > 2 ? BUFFER : argc > 1 ? COPY : NOTHING); }
