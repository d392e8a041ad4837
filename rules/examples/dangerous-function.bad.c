#include <string.h>
static char line[80];
int main(int argc, char **argv) {
  if (argc > 1) strcpy(line, argv[1]);  /* warn */
  return line[0];
}
