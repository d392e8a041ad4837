/* It is asked about something else. */
#include <stdlib.h>
#include <string.h>
static int is_kept(int number) { return number > 3; }
static int drop(char *text, int number) {
  if (is_kept(number)) return 0;
  free(text);
  return 1;
}
int run(const char *name, int number) {
  char *text = strdup(name); /* warn: memory-leak */
  if (text == NULL) return -1;
  return drop(text, number);
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1], argc) : 0; }
