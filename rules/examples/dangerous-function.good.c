#include <stdio.h>
static char line[80];
int main(int argc, char **argv) {
  if (argc > 1) snprintf(line, sizeof line, "%s", argv[1]);
  return line[0];
}
