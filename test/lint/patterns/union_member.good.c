/* rule: member-leak. A member of a union holds text, or two numbers; what is there is told by another one. */
#include <stdlib.h>
#include <string.h>
struct pair { long low; long high; };
struct value {
  int is_pair;
  union { char *text; struct pair pair; } as;
};
static struct value *values[8];
static struct value *made(int at) {
  struct value *value = calloc(1, sizeof *value);
  if (value == NULL) abort();
  return values[at & 7] = value;
}
static void add_text(int at, const char *text) {
  struct value *value = made(at);
  value->as.text = strdup(text);
  if (value->as.text == NULL) abort();
}
static void add_pair(int at, long low, long high) {
  struct value *value = made(at);
  value->is_pair = 1;
  value->as.pair.low = low;
  value->as.pair.high = high;
}
static size_t take(int at) {
  struct value *value = values[at & 7];
  if (value == NULL) return 0;
  size_t size = value->as.text != NULL;
  if (value->is_pair) free(value);
  return size;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '1') add_pair(i, i, argc);
    else add_text(i, argv[i]);
  }
  return take(1) > take(2);
}
