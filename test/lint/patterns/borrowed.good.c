/* Functions that look at the value, each with branches of its own, between where it is made and where it ends. */
#include <dirent.h>
#include <stdio.h>
static int quoted, spaced, lower, wide, plain;
static char first(DIR *folder) {
  struct dirent *entry = readdir(folder);
  if (entry == NULL) return 0;
  if (spaced && entry->d_name[0] == ' ') return entry->d_name[1];
  return entry->d_name[0];
}
static void show(DIR *folder) {
  char c;
  if (quoted) putchar('"');
  while ((c = first(folder)) != 0) {
    if (lower && c < 'a') putchar('_');
    else if (wide) printf("%c ", c);
    else if (plain) putchar(c);
    if (spaced) rewinddir(folder);
  }
  if (quoted) putchar('"');
}
int run(const char *name, int count) {
  DIR *folder = opendir(name);
  int i;
  if (folder == NULL) return 1;
  for (i = 0; i < count; i++) {
    if (quoted) rewinddir(folder);
    if (lower) rewinddir(folder);
    if (wide) rewinddir(folder);
    show(folder);
    if (plain) rewinddir(folder);
  }
  if (first(folder) == 0) {
    closedir(folder);
    return 2;
  }
  closedir(folder);
  return 0;
}
int main(int argc, char **argv) {
  quoted = argv[0][0] == 'q';
  spaced = argv[0][1] == 's';
  lower = argv[0][2] == 'l';
  wide = argv[0][3] == 'w';
  plain = argv[0][4] == 'p';
  return run(argv[argc - 1], argc);
}
