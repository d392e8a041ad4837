// qsort calls what it is given, any number of times, also never.
// CHECK holds: EF entry_compare
// CHECK holds: EF (entry_compare & EX EF entry_compare)
// CHECK holds: E [!entry_compare U call_after]
// CHECK holds: AG (call_after -> !EF entry_compare)
#include <stdlib.h>
void after(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int all[3] = {3, 1, 2};
  qsort(all, 3, sizeof all[0], compare);
  after();
  return all[0];
}
