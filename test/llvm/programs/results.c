// What becomes of results, and constant arguments.
// CHECK holds: AG (call_chdir -> ret_ignored)
// CHECK holds: AG (call_setuid -> ret_checked)
// CHECK holds: EF (call_chdir & "arg0=/")
// CHECK holds: EF (call_setuid & "arg0=1000")
// CHECK holds: AG !(ret_ignored & ret_checked)
// CHECK holds: AG (call_getpid -> !ret_ignored & !ret_checked)
#include <unistd.h>
void tell(int);
int main(void) {
  chdir("/");
  if (setuid(1000) != 0) return 1;
  tell(getpid());
  return 0;
}
