/* What is passed on among any number of arguments is only looked at, by own functions too that take it from their list. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *joined(size_t count, va_list texts) {
  va_list again;
  size_t size = 1;
  va_copy(again, texts);
  for (size_t i = 0; i < count; ++i) size += strlen(va_arg(again, const char *));
  va_end(again);
  char *result = malloc(size);
  if (result == NULL) abort();
  char *end = result;
  for (size_t i = 0; i < count; ++i) {
    const char *next = va_arg(texts, const char *);
    size_t length = strlen(next);
    memcpy(end, next, length);
    end += length;
  }
  *end = '\0';
  return result;
}
static char *join(size_t count, ...) {
  va_list texts;
  va_start(texts, count);
  char *result = joined(count, texts);
  va_end(texts);
  return result;
}
static void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    char *copy = strdup(argv[i]); /* warn: memory-leak */
    if (copy == NULL) return 1;
    char *both = join(2, copy, "\n");
    say("%s and %s", copy, both);
    free(both);
  }
  return 0;
}
