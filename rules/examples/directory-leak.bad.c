#include <dirent.h>
#include <stddef.h>
static int work(DIR *h) { return readdir(h) == NULL; }
int run(const char *name) {
  DIR *h = opendir(name);  /* warn */
  if (h == NULL) return -1;
  if (work(h) != 0) return -2;  /* h stays open */
  closedir(h);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? run(argv[1]) : 0; }
