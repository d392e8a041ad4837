// The source types of functions tell apart what is the same to LLVM, where all pointers are alike: with the marks of
// -fsanitize=kcfi, and without them from debug information.
// CHECK holds: AG (call_first -> !EF entry_of_b)
// CHECK holds: EF (call_first & EF entry_of_a)
// Through a field, whose structure is reached over two pointers.
// CHECK holds: AG (call_second -> !EF entry_of_a)
// CHECK holds: EF (call_second & EF entry_of_b)
// A conversion brings a function to a pointer of another type: it is still found.
// CHECK holds: EF (call_third & EF entry_converted)
// One that goes through `void *`, too.
// CHECK holds: EF (call_fourth & EF entry_hidden)
// A cast in the call itself leaves no trace in debug information: what is stored there tells.
// CHECK holds: EF (call_fifth & EF entry_cast_back)
// Nor does one that is converted after it was read from a pointer of its own type.
// CHECK holds: EF (call_sixth & EF entry_twice)
// And what came through `void *` to a pointer of yet another type is there with the functions of that type.
// CHECK holds: EF (call_seventh & EF entry_hidden) & EF (call_seventh & EF entry_number_of_a)
struct a { int x; };
struct b { int y; };
void first(void);
void second(void);
void third(void);
void fourth(void);
void fifth(void);
void sixth(void);
void seventh(void);
int choose(void);
void *keep(void *);
void of_a(struct a *p) { p->x = 1; }
void also_of_a(struct a *p) { p->x = 2; }
void of_b(struct b *p) { p->y = 1; }
void also_of_b(struct b *p) { p->y = 2; }
void converted(struct b *p) { p->y = 3; }
int hidden(struct b *p) { return p->y; }
char *cast_back(struct b *p) { return (char *)p; }
short *twice(struct b *p) { return (short *)p; }
int number_of_a(struct a *p) { return p->x; }
typedef void (*for_a)(struct a *);
typedef void (*for_b)(struct b *);
typedef void (*generic)(void);
struct handler { int number; for_b call; };
struct object { struct handler *handler; };
static generic table[2];
static short *(*own_type[2])(struct b *) = {twice, 0};
static int (*numbers[2])(struct a *) = {number_of_a, 0};
static for_a by_index[2] = {of_a, also_of_a};
static void *nothing_known;
static void use(struct object *object, struct b *b, int n) {
  object->handler[n].call(b);
}
int main(int argc, char **argv) {
  struct a a = {0};
  struct b b = {0};
  struct handler handlers[2] = {{0, of_b}, {1, 0}};
  for_b *slot = &handlers[1].call;
  *slot = also_of_b;
  struct object object = {handlers};
  switch (argc) {
    case 1:
      first();
      by_index[choose()](&a);
      break;
    case 2:
      second();
      use(&object, &b, argc);
      break;
    case 3: {
      for_a odd[2] = {of_a, (for_a)converted};
      third();
      odd[choose()](&a);
      break;
    }
    case 4:
      nothing_known = (void *)hidden;
      fourth();
      ((int (*)(struct b *))nothing_known)(&b);
      break;
    case 5:
      table[choose()] = (generic)own_type[choose()];
      sixth();
      ((short *(*)(struct b *))table[choose()])(&b);
      break;
    case 6:
      numbers[choose()] = nothing_known;
      seventh();
      numbers[choose()](&a);
      break;
    default:
      table[choose()] = (generic)cast_back;
      fifth();
      ((char *(*)(struct b *))table[choose()])(&b);
  }
  return 0;
}
