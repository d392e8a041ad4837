/* Functions go on in what they are given by giving others their own pointer to change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char step(char **place) {
  char here = **place;
  *place = *place + 1;
  return here;
}
static int has_capitals(char *text) {
  while (*text != '\0') {
    char here = step(&text);
    if (here >= 'A' && here <= 'Z') return 1;
  }
  return 0;
}
static int has_digits(char *text) {
  while (*text != '\0') {
    char here = step(&text);
    if (here >= '0' && here <= '9') return 1;
  }
  return 0;
}
int main(int argc, char **argv) {
  int found = 0;
  int (*has)(char *) = argc > 2 ? has_capitals : has_digits;
  for (int i = 1; i < argc; ++i) {
    char *copy = strdup(argv[i]); /* warn: memory-leak */
    if (copy == NULL) abort();
    found += has(copy);
  }
  return found;
}
