#include <unistd.h>
int main(void) {
  if (setgid(1000) != 0) return 1;
  int failed = setuid(1000);
  return failed ? 1 : 0;
}
