#include <stddef.h>
#include <string.h>
#include <time.h>
struct node { int value; struct node *next; };
int run(struct node *list, int value) {
  struct node *found = NULL;
  if (value > 0) found = list;
  if (found == NULL) return -1;
  return found->value;
}
int flagged(struct node *list, int value) {
  struct node *found = NULL;
  int ok = 0;
  if (value > 0) {
    found = list;
    ok = 1;
  }
  return ok ? found->value : 0;  /* the flag tells that there is one */
}
static int find(struct node *list, int value, struct node **to) {
  for (; list != NULL; list = list->next) {
    if (list->value == value) {
      *to = list;
      return 0;
    }
  }
  return -1;
}
int looked(struct node *list) {
  struct node *found = NULL;
  if (find(list, 1, &found) != 0) return -1;
  return found->value;
}
int either(const char *one, const char *two) {
  const char *name = one != NULL ? one : two != NULL ? two : "";
  int length = 0;
  if (one != NULL) length++;
  return length + (int)strlen(name);
}
int optional(void) {
  time_t *none = NULL;
  return (int)time(none);  /* for which a null pointer will do */
}
int walk(const char *path) {
  const char *part;
  int parts = (int)strlen(path);
  for (part = path; part != NULL;) {
    part = strchr(part, '/');
    if (part != NULL) part++;
    parts++;
  }
  return parts + path[0];
}
int main(int argc, char **argv) {
  struct node one = {1, NULL};
  return run(&one, argc) + flagged(&one, argc) + looked(&one) + either(argv[0], argv[1]) +
         optional() + walk(argv[0]);
}
