#include <stdarg.h>
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
int copied(const char *name) {
  char *h = strdup(name);
  char *other = h;  /* not followed any further */
  int result = other != NULL;
  free(other);
  return result;
}
void keep_it(char *text);  /* outside, nothing is known of it */
void kept(const char *name) {
  char *h = strdup(name);
  keep_it(h);
}
static char *last;
static void collect(int count, ...) {
  va_list list;
  va_start(list, count);
  while (count-- > 0) last = va_arg(list, char *);
  va_end(list);
}
void collected(const char *name) {
  char *h = strdup(name);
  collect(1, h);  /* one of any number of arguments, which have no names */
}
struct holder { char *text; };
void stored(struct holder *holder, const char *name) {
  char *h = strdup(name);
  holder->text = h;
}
int main(int argc, char **argv) {
  struct holder holder;
  kept(argv[0]);
  collected(argv[0]);
  stored(&holder, argv[0]);
  free(give(argv[0]));
  return argc > 1 ? run(argv[1]) + copied(argv[1]) : 0;
}
