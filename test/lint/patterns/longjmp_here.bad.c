/* Where the longjmp comes back to, the memory is forgotten. */
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static int work(int n) {
  if (n < 0) longjmp(env, 1);
  return n;
}
int run(int n) {
  int result = 0;
  char *memory = malloc(10); /* warn: memory-leak */
  if (memory == NULL) return 0;
  if (setjmp(env) != 0) return -1;
  result = work(n);
  free(memory);
  return result;
}
int main(int argc, char **argv) {
  (void)argv;
  if (setjmp(env)) return 1;
  return run(argc - 2);
}
