#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int enter(void) { return chdir("/"); }
static void fail(void) {
  FILE *log = fopen("log", "a");  /* not inside, but the root did not change either */
  if (log) fputs("failed", log);
  exit(1);
}
int main(void) {
  if (chroot("/srv") == -1) fail();
  if (enter() != 0) return 1;
  FILE *f = fopen("settings", "r");
  return f == NULL;
}
