#include <stdlib.h>
static void discard(char *text) { free(text); }
int run(char *p, int n) {
  if (n > 1) {
    discard(p);
    p = NULL;
  }
  if (n < 5) free(p);
  return 0;
}
/* Not both. */
int run_perhaps(char *p, int n) {
  if (n > 1) discard(p);
  if (n < 1) free(p);
  return 0;
}
/* Which of the two is called depends on what is not looked at. */
static void keep(char *text) { text[0] = 0; }
static void (*ends[2])(char *) = {discard, keep};
int run_unknown(char *p, int n) {
  ends[n](p);
  if (n == 1) free(p);
  return 0;
}
/* Frees on one path only, and its caller knows on which. */
static int take(char *text, int n) {
  if (n > 3) {
    free(text);
    return 1;
  }
  return 0;
}
int run_taken(char *p, int n) {
  if (!take(p, n)) free(p);
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  return run(malloc(3), argc) + run_perhaps(malloc(3), argc) + run_unknown(malloc(3), argc) + run_taken(malloc(3), argc);
}
