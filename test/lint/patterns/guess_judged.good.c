/* More ways than are told apart: a test in another form says that the memory is released. */
#include <stdlib.h>
#include <string.h>
int classify(const char *name, int length);
int classify(const char *name, int length) { return name[length / 2] % 4; }
int count(const char **names, int n) {
  int seen0 = 0;
  int seen1 = 0;
  int seen2 = 0;
  int seen3 = 0;
  int seen4 = 0;
  int seen5 = 0;
  int seen6 = 0;
  int seen7 = 0;
  int seen8 = 0;
  int is_done = 0;
  char *copy = malloc(100);
  if (copy == NULL) return -1;
  for (int i = 0; i < n; ++i) {
    switch (classify(names[i], n)) {
      case 0: seen0 = 1; break;
      case 1: seen1 = 1; break;
      case 2: seen2 = 1; break;
      case 3: seen3 = 1; break;
      case 4: seen4 = 1; break;
      case 5: seen5 = 1; break;
      case 6: seen6 = 1; break;
      case 7: seen7 = 1; break;
      case 8: seen8 = 1; break;
      default: break;
    }
  }
  if (seen0 && names[0] == NULL) {
    free(copy);
    return 0;
  }
  if (seen1 && names[1] == NULL) {
    free(copy);
    return 1;
  }
  if (seen2 && names[2] == NULL) {
    free(copy);
    return 2;
  }
  if (seen3 && names[3] == NULL) {
    free(copy);
    return 3;
  }
  if (seen4 && n > 3) is_done = 1;
  if (is_done) free(copy);
  if (seen4 && n > 3) return 4;
  if (seen5 && names[5] == NULL) {
    free(copy);
    return 5;
  }
  if (seen6 && names[6] == NULL) {
    free(copy);
    return 6;
  }
  if (seen7 && names[7] == NULL) {
    free(copy);
    return 7;
  }
  if (seen8 && names[8] == NULL) {
    free(copy);
    return 8;
  }
  memset(copy, 0, 100);
  free(copy);
  return 0;
}
int main(int argc, char **argv) { return count((const char **)argv, argc); }
