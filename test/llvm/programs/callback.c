// qsort calls what it is given, any number of times, also never.
// CHECK holds: EF entry_compare
// CHECK holds: EF (entry_compare & EX EF entry_compare)
// CHECK holds: E [!entry_compare U call_after]
// CHECK holds: AG (call_after -> !EF entry_compare)
// A function outside that nothing is known of may call what it is given, too.
// CHECK holds: EF (call_unknown & EF entry_given)
// Where it is not known which function is given, the type tells which it can be.
// CHECK holds: EF (call_chosen & EF entry_up) & EF (call_chosen & EF entry_down)
// CHECK holds: EF (call_from_table & EF entry_up) & EF (call_from_table & EF entry_down)
// CHECK fails: EF (call_from_table & EF entry_given)
#include <stdlib.h>
void after(void);
void chosen(void);
void from_table(void);
void unknown(void (*f)(int));
static int up(const void *a, const void *b) { return a < b; }
static int down(const void *a, const void *b) { return a > b; }
static int (*table[2])(const void *, const void *) = {up, down};
static void given(int n) { (void)n; }
void more(int n, int *all) {
  int (*order)(const void *, const void *) = n > 1 ? up : down;
  void (*variable)(int) = given;
  switch (n) {
    case 1:
      chosen();
      qsort(all, 3, sizeof all[0], order);
      break;
    case 2:
      from_table();
      qsort(all, 3, sizeof all[0], table[all[0]]);
      break;
    default:
      unknown(variable);
  }
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int all[3] = {3, 1, 2};
  more(all[0], all);
  qsort(all, 3, sizeof all[0], compare);
  after();
  return all[0];
}
