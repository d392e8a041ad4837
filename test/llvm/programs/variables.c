// Locals by name; a shadowing one gets its line.
// CHECK holds: AG ("def_main::x" -> EF "use_main::x")
// CHECK holds: EF "use_counter"
// CHECK holds: EF "maydef_point.y"
// CHECK fails: EF "use_main::unused"
// CHECK holds: AG ("scope_main::late" -> AX A [!"use_main::late" W "def_main::late"])
// CHECK holds: EF "def_main::x#17"
static int counter;
struct point { int x, y; };
static void move(struct point *p) { p->y = 3; }
int main(int argc, char **argv) {
  int x = argc;
  struct point p = {0, 0};
  move(&p);
  int unused = 2, late;
  if (x > 1) {
    int x = counter;
    late = x;
  } else {
    late = 0;
  }
  return late + p.x;
}
