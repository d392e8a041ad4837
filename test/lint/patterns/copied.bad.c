/* Who makes a copy, or something else with the help of the thing, does not release it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int same(const char *text) {
  char *copy = malloc(30); /* warn: memory-leak */
  if (copy == NULL) return -1;
  strncpy(copy, text, 29);
  copy[29] = '\0';
  char *other = strdup(copy);
  if (other == NULL) return -1;
  int result = strcmp(other, text);
  free(other);
  return result;
}
static int both(const char *path) {
  int first = open(path, O_RDONLY); /* warn: descriptor-leak */
  if (first < 0) return -1;
  int second = dup(first);
  if (second < 0) return -1;
  close(second);
  return 0;
}
int main(int argc, char **argv) { return same(argv[argc - 1]) + both(argv[0]); }
