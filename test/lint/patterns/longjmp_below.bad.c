/* Work may also be done for a setjmp further up. */
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static int work(int n) {
  if (n < 0) longjmp(env, 1);
  return n;
}
static int guarded(int n) {
  if (setjmp(env)) return 0;
  return work(n);
}
int run(int n) {
  char *memory = malloc(10); /* warn: memory-leak */
  int result;
  if (memory == NULL) return 0;
  result = n > 3 ? guarded(n) : work(n);
  free(memory);
  return result;
}
int main(int argc, char **argv) {
  (void)argv;
  if (setjmp(env)) return 1;
  return run(argc - 2);
}
