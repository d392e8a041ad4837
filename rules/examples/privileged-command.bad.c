#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1 && setuid(1000) != 0) return 1;
  return system("id");  /* warn */
}
