#include <stdlib.h>
static void fill(int *all, int n) { for (int i = 0; i < n; ++i) all[i] = i; }
int run(int n) {
  int *all = malloc(sizeof(int) * (unsigned)n);
  if (!all) return 0;
  fill(all, n);
  const int last = all[n - 1];
  free(all);
  return last;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
