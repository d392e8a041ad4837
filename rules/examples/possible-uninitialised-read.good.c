#include <stdlib.h>
struct flags { unsigned first : 3, second : 5; };
static void fill(int *to) { *to = 3; }
static int parse(const char *text, int *to) {
  if (*text == 0) return -1;
  *to = *text;
  return 0;
}
int run(int n) {
  int result, other, both;
  if (n > 3) result = 1; else result = 2;
  fill(&other);
  if (n > 1 && (both = n) > 2) result += both;  /* not read where && stops */
  return result + other;
}
int heap(int n) {
  int *numbers = malloc(10 * sizeof *numbers);
  int all;
  if (numbers == NULL) return 0;
  numbers[n & 7] = n;  /* once a part is written, the rest is taken to be */
  all = numbers[3];
  free(numbers);
  return all;
}
int bits(int n) {
  struct flags flags;
  flags.first = n;  /* reads what lies around the bits, and writes it back */
  flags.second = 0;
  return flags.first;
}
int parsed(const char *text) {
  int number;
  parse(text, &number);  /* who does not look at the result knows that it worked */
  return number;
}
int main(int argc, char **argv) { return run(argc) + heap(argc) + bits(argc) + parsed(argv[0]); }
