#include <stdio.h>
#include <unistd.h>
static int enter(void) { return chdir("/"); }
int main(void) {
  if (chroot("/srv") != 0 || enter() != 0) return 1;
  FILE *f = fopen("settings", "r");
  return f == NULL;
}
