#include <stdlib.h>
static int failed;
static void clean_up(void) { failed = rand() == 0; }
int main(void) {
  if (atexit(clean_up) != 0) exit(2);
  return 0;
}
