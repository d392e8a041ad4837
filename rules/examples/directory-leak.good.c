#include <dirent.h>
#include <stddef.h>
static int work(DIR *h) {
  int result = readdir(h) == NULL;
  closedir(h);
  return result;
}
int run(const char *name) {
  DIR *h = opendir(name);
  if (h == NULL) return -1;
  return work(h);  /* closes it on every path */
}
DIR *give(const char *name) {
  DIR *h = opendir(name);
  return h;  /* the caller's from here on */
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
