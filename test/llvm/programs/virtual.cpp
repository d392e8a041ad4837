// Virtual calls go by slot and type: `area` never reaches `name`.
// CHECK holds: EF entry__ZN6Circle4areaEv
// CHECK holds: EF entry__ZN6Square4areaEv
// CHECK fails: EF entry__ZN6Circle4nameEi
struct Shape {
  virtual int area() = 0;
  virtual int name(int) = 0;
};
struct Circle : Shape {
  int area() override { return 3; }
  int name(int n) override { return n; }
};
struct Square : Shape {
  int area() override { return 4; }
  int name(int n) override { return n + 1; }
};
static Circle circle;
static Square square;
int main(int argc, char **) {
  Shape *shape = argc > 1 ? static_cast<Shape *>(&circle) : &square;
  return shape->area();
}
