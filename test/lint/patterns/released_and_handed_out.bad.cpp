// A function releases what it has made and hands it out all the same: by its result, through a
// pointer, by reference.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void renew(long*& data) {
  data = new long(1);
  delete data;
}

static char* copy_of(const char* text, int is_short) {
  char* copy = strdup(text);
  if (copy != NULL && is_short)
    free(copy);
  return copy;
}

static int fill(char** out, int size) {
  *out = (char*)malloc(10);
  if (*out == NULL)
    return -1;
  if (size > 5) {
    free(*out);
    return -1;
  }
  strcpy(*out, "text");
  return 0;
}

int main(int argc, char** argv) {
  long* number;
  renew(number); /* warn: double-free */
  delete number;
  char* copy = copy_of(argv[0], argc > 2); /* warn: double-free, use-after-free */
  if (copy != NULL)
    puts(copy);
  free(copy);
  char* text;
  if (fill(&text, argc) != 0) { /* warn: double-free */
    free(text);
    return 1;
  }
  free(text);
  return 0;
}
