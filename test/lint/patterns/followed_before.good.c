/* A pointer that was followed is not null later. */
#include <stdlib.h>
#include <string.h>
struct entry {
  int size;
  char *path;
};
static struct entry *parsed(struct entry *entry, const char *text) {
  entry->path = strdup(text);
  if (entry->path == NULL || text[0] != '/') goto error;
  entry->size = (int)strlen(text);
  return entry;
error:
  if (entry) free(entry->path);
  return NULL;
}
int main(int argc, char **argv) {
  struct entry entry = {argc, NULL};
  if (parsed(&entry, argv[0]) == NULL) return 1;
  free(entry.path);
  return 0;
}
