// `fail` never returns, which nothing declares: it is inferred from `stop`, bottom-up.
// CHECK holds: AG (entry_fail -> AF halt)
// CHECK holds: AG (call_fail -> !EF exit_main)
// CHECK holds: AG !call_unreachable
// CHECK holds: EF exit_main
#include <stdlib.h>
void unreachable(void);
static void stop(void) { exit(1); }
static void fail(int n) {
  if (n > 1) stop();
  abort();
}
int main(int argc, char **argv) {
  if (argc > 1) {
    fail(argc);
    unreachable();
  }
  return 0;
}
