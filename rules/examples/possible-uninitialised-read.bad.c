#include <stdlib.h>
int run(int n) {
  int result;  /* warn */
  if (n > 3) result = 1;
  return result;
}
static int sum(const int *numbers, int count) {
  int all = 0, i;
  for (i = 0; i < count; i++) all += numbers[i];
  return all;
}
int heap(void) {
  int *numbers = malloc(10 * sizeof *numbers);  /* warn */
  int all;
  if (numbers == NULL) return 0;
  all = sum(numbers, 10);
  free(numbers);
  return all;
}
int array(int n) {
  int numbers[4];  /* warn */
  int *first = numbers;
  return first[n & 3];
}
int main(int argc, char **argv) { (void)argv; return run(argc) + heap() + array(argc); }
