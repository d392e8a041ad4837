// A function that calls itself and a helper; calls and returns match, which a model without a stack cannot show.
// CHECK holds: EF call_down
// CHECK holds: AG (entry_walk -> EF exit_walk)
// `down` is called once for each level on the way in, `up` once on the way out: never up before down.
// CHECK holds: !E [!call_down U call_up]
// After the walk nothing is left to go up.
// CHECK holds: AG (call_end -> !EF call_up)
// The recursion can be endless: conditions may go either way.
// CHECK fails: AF call_end
void down(void);
void up(void);
void end(void);
static void walk(int n) {
  down();
  if (n > 0) walk(n - 1);
  up();
}
int main(int argc, char **argv) {
  walk(argc);
  end();
  return 0;
}
