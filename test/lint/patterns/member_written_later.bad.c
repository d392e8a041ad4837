/* rule: member-leak. What the function itself writes into the member it writes after the release, into another one. */
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
    free(entry); /* warn: member-leak */
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
