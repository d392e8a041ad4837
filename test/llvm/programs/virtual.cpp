// Virtual calls go by slot and type: `area` never reaches `name`.
// CHECK holds: EF entry__ZN6Circle4areaEv
// CHECK holds: EF entry__ZN6Square4areaEv
// CHECK fails: EF entry__ZN6Circle4nameEi
// Nor does it reach `sides`, which has the same type in another slot.
// CHECK fails: EF (entry__ZN6Circle5sidesEv | entry__ZN6Square5sidesEv)
// A table of functions that is read from a pointer looks like that of a class, but has no object: all of the type.
// CHECK holds: EF (call_through_table & EF entry__Z3twoP5Shape)
extern "C" void through_table();
struct Shape {
  virtual int area() = 0;
  virtual int name(int) = 0;
  virtual int sides() = 0;
};
struct Circle : Shape {
  int area() override { return 3; }
  int name(int n) override { return n; }
  int sides() override { return 0; }
};
struct Square : Shape {
  int area() override { return 4; }
  int name(int n) override { return n + 1; }
  int sides() override { return 4; }
};
static Circle circle;
static Square square;
int one(Shape *) { return 1; }
int two(Shape *) { return 2; }
static int (*const functions[2])(Shape *) = {one, two};
static int (*const *const table)(Shape *) = functions;
struct Holder {
  int (*const *table)(Shape *);
};
static int use(Holder *holder, Shape *shape) { return holder->table[0](shape); }
int main(int argc, char **) {
  Shape *shape = argc > 1 ? static_cast<Shape *>(&circle) : &square;
  int result = shape->area();
  through_table();
  Holder holder = {table};
  return result + use(&holder, shape);
}
