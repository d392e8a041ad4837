/* One that keeps what it takes from its list of arguments, and one that releases it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
static char *kept[16];
static int count;
static void keep(int number, ...) {
  va_list texts;
  va_start(texts, number);
  while (number-- > 0 && count < 16) kept[count++] = va_arg(texts, char *);
  va_end(texts);
}
static void free_listed(int number, va_list texts) {
  while (number-- > 0) free(va_arg(texts, char *));
}
static void free_all(int number, ...) {
  va_list texts;
  va_start(texts, number);
  free_listed(number, texts);
  va_end(texts);
}
static void start(char *name) {
  char *one = strdup(name);
  char *other = strdup(name);
  if (one == NULL || other == NULL) abort();
  keep(1, one);
  free_all(1, other);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) start(argv[i]);
  return count > 0 ? kept[0][0] : 0;
}
