// A call through a pointer does what a call by name does, whichever function it is.
// CHECK holds: EF entry_main & AG (call_abort -> AX AG halt)
// CHECK holds: AG (call_stop -> AX AG halt)
// CHECK holds: EF (call_longjmp & EX EF call_after_longjmp)
// CHECK holds: AG (call_longjmp -> !EF call_not_after_longjmp)
// CHECK holds: EF (call_qsort & EF entry_compare)
// Functions of the program have the label of their call as well as that of their entry.
// CHECK holds: EF (call_inside & EX EF entry_inside)
// What becomes of the result, and constant arguments, are known as for other calls.
// CHECK holds: EF (call_write & ret_ignored & "arg0=1") & AG (call_write -> ret_ignored)
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
void after_longjmp(void);
void not_after_longjmp(void);
void stop(int) __attribute__((noreturn));
static jmp_buf buffer;
static int compare(const void *a, const void *b) { return a < b; }
static short inside(short n) { return n; }
static void jump(void) {
  void (*away)(jmp_buf, int) = (void (*)(jmp_buf, int))longjmp;
  away(buffer, 1);
  not_after_longjmp();
}
int main(int argc, char **argv) {
  void (*end)(void) = abort;
  void (*other_end)(int) = stop;
  void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
  short (*own)(short) = inside;
  ssize_t (*put)(int, const void *, size_t) = write;
  put(1, "x", 1);
  sort(argv, 1, 8, compare);
  if (argc == own(2)) end();
  if (argc == 3) other_end(1);
  if (setjmp(buffer) == 0) jump();
  after_longjmp();
  return 0;
}
