#include <unistd.h>
static void enter(const char *folder) {
  chdir(folder);  /* warn */
}
int main(int argc, char **argv) {
  if (argc > 1) enter(argv[1]);
  return 0;
}
