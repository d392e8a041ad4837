/* Another pointer may be null. */
#include <stdlib.h>
#include <string.h>
struct entry {
  int size;
  char *path;
};
static struct entry *parsed(struct entry *entry, const char *text) {
  entry->path = NULL;
  char *path = strdup(text); /* warn: memory-leak */
  if (path == NULL || text[0] != '/') goto error;
  entry->path = path;
  entry->size = (int)strlen(text);
  return entry;
error:
  if (entry->size > 1) free(entry->path);
  return NULL;
}
int main(int argc, char **argv) {
  struct entry entry = {argc, NULL};
  if (parsed(&entry, argv[0]) == NULL) return 1;
  free(entry.path);
  return 0;
}
