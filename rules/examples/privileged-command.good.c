#include <stdlib.h>
#include <unistd.h>
static void drop(void) { if (setuid(1000) != 0) exit(1); }
int main(void) {
  drop();
  return system("id");
}
