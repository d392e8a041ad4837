/* Many conditions that have nothing to do with the memory: states that agree on it are one. */
#include <stdio.h>
#include <stdlib.h>

int work(int argc, char **argv) {
  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  char *text = malloc(10);
  if (text == NULL) return 1;
  if (argc > 1) a = argv[1][0];
  if (argc > 2) b = argv[2][0];
  if (argc > 3) c = argv[3][0];
  if (argc > 4) d = argv[4][0];
  if (argc > 5) e = argv[5][0];
  if (argc > 6) f = argv[6][0];
  if (argc > 7) g = argv[7][0];
  if (argc > 8) h = argv[8][0];
  if (a == 'a' && puts("a") < 0) goto out;
  if (b == 'b' && puts("b") < 0) goto out;
  if (c == 'c' && puts("c") < 0) goto out;
  if (d == 'd' && puts("d") < 0) goto out;
  if (e == 'e' && puts("e") < 0) goto out;
  if (f == 'f' && puts("f") < 0) goto out;
  if (g == 'g' && puts("g") < 0) goto out;
  if (h == 'h' && puts("h") < 0) goto out;
  (void)puts("end");
out:
  free(text);
  return 0;
}

int main(int argc, char **argv) { return work(argc, argv); }
