/* What a global holds can still be freed after the longjmp. */
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static char *memory;
static int work(int n) {
  if (n < 0) longjmp(env, 1);
  return n;
}
int run(int n) {
  int result;
  memory = malloc(10);
  if (memory == NULL) return 0;
  result = work(n);
  free(memory);
  memory = NULL;
  return result;
}
int main(int argc, char **argv) {
  (void)argv;
  if (setjmp(env)) {
    free(memory);
    return 1;
  }
  return run(argc - 2);
}
