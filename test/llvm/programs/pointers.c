// Calls through pointers reach functions of the same C type whose address is taken, and no others.
// CHECK holds: EF entry_red
// CHECK holds: EF entry_blue
// CHECK fails: EF entry_other_type
// CHECK fails: EF entry_not_taken
// The field holds only `blue`, so calls through it cannot reach `red` a second time.
// CHECK holds: AG (call_mark -> !EF entry_red)
// CHECK holds: AG (call_mark -> EF entry_blue)
// A function outside the program can be a target, too.
// CHECK holds: EF call_outside
int outside(int);
void mark(void);
int take(long (*f)(long));
struct colour { int (*paint)(int); };
int red(int n) { return n; }
int blue(int n) { return n + 1; }
long other_type(long n) { return n; }
int not_taken(int n) { return n; }
static struct colour chosen = {blue};
static long (*unused)(long) = other_type;
int main(int argc, char **argv) {
  int (*table[3])(int) = {red, outside, blue};
  int result = table[argc % 3](argc);
  mark();
  return result + chosen.paint(argc) + (unused != 0);
}
