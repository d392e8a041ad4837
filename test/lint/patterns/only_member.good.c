/* rule: member-leak. A member that owns what it holds is released with its structure. */
#include <stdlib.h>
#include <string.h>

struct entry {
  int key;
  char *name;
};

static struct entry *made(int key, const char *name) {
  struct entry *entry = malloc(sizeof *entry);
  if (entry == NULL) abort();
  char *copy = malloc(strlen(name) + 1);
  if (copy == NULL) abort();
  entry->key = key;
  entry->name = strcpy(copy, name);
  return entry;
}

static void drop(struct entry *entry) {
  if (entry->key == 0) abort();
  free(entry->name);
  free(entry);
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  struct entry *entry = made(argc, argv[1]);
  drop(entry);
  return 0;
}
