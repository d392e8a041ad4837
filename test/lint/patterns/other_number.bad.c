/* Nobody looks which number it has. */
#include <stdlib.h>
#include <unistd.h>
int move(int from, int into) {
  if (from != into) {
    close(into);
    int copy = dup(from); /* warn: descriptor-leak */
    if (copy < 0) exit(1);
    close(from);
  }
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? move(argc, argv[1][0]) : 0; }
