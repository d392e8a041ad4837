#include <unistd.h>
int main(void) {
  setgid(1000);            /* warn */
  int failed = setuid(1000); /* warn */
  (void)failed;
  return 0;
}
