#include <stdarg.h>
int sum(int n, ...) {
  va_list rest;
  va_start(rest, n);  /* warn */
  if (n < 0) return -1;
  int result = 0;
  while (n-- > 0) result += va_arg(rest, int);
  va_end(rest);
  return result;
}
int main(void) { return sum(1, 2); }
