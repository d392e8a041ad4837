// longjmp leaves `inner` and `outer` at once and goes on after setjmp.
// CHECK holds: EF (call_longjmp & EF call_caught)
// What `outer` had left to do is gone: `rest` needs another call of it. (The model does not know which value setjmp
// returns, so that can come.)
// CHECK holds: AG (call_longjmp -> !E [!entry_outer U call_rest])
// Without the jump, `rest` comes before `done`.
// CHECK holds: EF (call_rest & EF call_done)
#include <setjmp.h>
void caught(void);
void rest(void);
void done(void);
static jmp_buf back;
static void inner(int n) { if (n > 1) longjmp(back, 1); }
static void outer(int n) {
  inner(n);
  rest();
}
int main(int argc, char **argv) {
  if (setjmp(back) != 0) {
    caught();
    return 1;
  }
  outer(argc);
  done();
  return 0;
}
