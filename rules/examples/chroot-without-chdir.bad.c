#include <stdio.h>
#include <unistd.h>
static FILE *read_settings(void) { return fopen("settings", "r"); }
int main(void) {
  if (chroot("/srv") != 0) return 1;  /* warn */
  FILE *f = read_settings();  /* relative to a directory outside /srv */
  return f == NULL;
}
