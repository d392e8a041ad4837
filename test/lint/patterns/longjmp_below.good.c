/* The longjmp goes to a setjmp that is called from here, and no further. */
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
  char *memory = malloc(10);
  int result;
  if (memory == NULL) return 0;
  result = guarded(n);
  free(memory);
  return result;
}
int main(int argc, char **argv) {
  (void)argv;
  return run(argc - 2);
}
