// An exception leaves `thrower` and `middle`, runs the destructor in `middle`, and is caught in main.
// CHECK holds: EF (call_caught & EF exit_main)
// CHECK holds: EF unwind__Z6middlei
// CHECK holds: AG (call___cxa_throw -> !E [!call_destroyed U call_caught])
// CHECK holds: AG (call___cxa_throw -> !E [!call_caught U call_after])
// CHECK holds: EF (call_after & EF exit_main)
extern "C" {
void caught() noexcept;
void destroyed() noexcept;
void after() noexcept;
}
struct Guard {
  ~Guard() { destroyed(); }
};
void thrower(int n) {
  if (n > 1) throw n;
}
void middle(int n) {
  Guard guard;
  thrower(n);
  after();
}
int main(int argc, char **) {
  try {
    middle(argc);
  } catch (int) {
    caught();
  }
  return 0;
}
