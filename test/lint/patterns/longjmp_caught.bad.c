/* The setjmp of the callee is for a part of it only, and what is made here is never released. */
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static int guards;
static int work(int n) {
  if (n < 0 && guards) longjmp(env, 1);
  return n;
}
static int guarded(int n) {
  int sum = n;
  if (guards && setjmp(env)) return 0;
  sum += work(n);
  guards = 0;
  return sum;
}
static int run(int n) {
  char *memory = malloc(10); /* warn: memory-leak */
  if (memory == NULL) return 0;
  guards = n > 1;
  return guarded(n);
}
int main(int argc, char **argv) {
  (void)argv;
  if (setjmp(env)) return 1;
  return run(argc - 2);
}
