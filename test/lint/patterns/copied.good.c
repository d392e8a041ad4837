/* The copy and the thing itself are released. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int same(const char *text) {
  char *copy = malloc(30);
  if (copy == NULL) return -1;
  strncpy(copy, text, 29);
  copy[29] = '\0';
  char *other = strdup(copy);
  if (other == NULL) {
    free(copy);
    return -1;
  }
  int result = strcmp(other, text);
  free(other);
  free(copy);
  return result;
}
static int both(const char *path) {
  int first = open(path, O_RDONLY);
  if (first < 0) return -1;
  int second = dup(first);
  close(first);
  if (second < 0) return -1;
  close(second);
  return 0;
}
int main(int argc, char **argv) { return same(argv[argc - 1]) + both(argv[0]); }
