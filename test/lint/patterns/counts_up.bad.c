/* What is found later takes the place of what was found before. */
#include <stdlib.h>
#include <string.h>
int find(char **result, const char *const *names, const char *wanted) {
  int found = 0;
  for (; *names != NULL; ++names) {
    if (strstr(*names, wanted) == NULL) continue;
    found++;
    *result = strdup(*names); /* warn: memory-leak */
  }
  return found;
}
int main(int argc, char **argv) {
  const char *const names[] = {"one", "other", NULL};
  char *result = NULL;
  int found = find(&result, names, argv[argc - 1]);
  free(result);
  return found;
}
