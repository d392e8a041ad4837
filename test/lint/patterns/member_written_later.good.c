/* rule: member-leak. What lies in the member is released with its structure. */
#include <stdlib.h>
#include <string.h>
struct entry {
  struct entry *next;
  char *text;
};
static struct entry *first;
static char *checked(char *text) {
  if (text == NULL) abort();
  return text;
}
static void add(const char *text) {
  struct entry *entry;
  struct entry *next;
  for (entry = first; entry != NULL; entry = next) {
    next = entry->next;
    free(entry->text);
    free(entry);
  }
  entry = calloc(1, sizeof *entry);
  if (entry == NULL) abort();
  entry->text = checked(strdup(text));
  first = entry;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) add(argv[i]);
  return first != NULL && first->text[0] == 'x';
}
