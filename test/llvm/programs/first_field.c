// The first field of a structure lies where the structure does, and is still a field like any other.
// CHECK holds: EF "maydef_main::both" & EF "maydef_both.first" & EF "maydef_both.second"
// CHECK holds: EF "use_both.first" & EF "use_both.second"
// A function that was stored there through a pointer is among those that the field can hold.
// CHECK holds: EF entry_by_name & EF entry_by_pointer
// One that was stored through a pointer to the field itself, which could be any pointer: all of the type.
// CHECK holds: EF (call_open & EF entry_through_field) & EF (call_open & EF entry_by_field)
// A union makes clang write the table with a structure that has no name: its functions count, too.
// CHECK holds: EF (call_nameless & EF entry_in_table) & EF (call_nameless & EF entry_later)
struct both { int *first; int *second; };
struct operation { int (*run)(int); int number; };
struct opened { int number; long (*run)(long); };
union either { char text[3]; int *pointer; };
struct entry { union either either; char (*run)(char); };
void open(void);
void nameless(void);
int by_name(int n) { return n; }
int by_pointer(int n) { return n + 1; }
long by_field(long n) { return n; }
long through_field(long n) { return n + 1; }
char in_table(char c) { return c; }
char later(char c) { return c + 1; }
static struct operation operation = {by_name, 1};
static struct opened opened = {1, by_field};
static struct entry table[2] = {{{.text = "ab"}, in_table}, {{.text = "cd"}, 0}};
static void set(struct operation *o) { o->run = by_pointer; }
static void set_field(long (**field)(long)) { *field = through_field; }
static int read(struct both *p) { return *p->first + *p->second; }
int main(int argc, char **argv) {
  int x = 1;
  struct both both = {&x, &x};
  struct both *p = &both;
  struct entry *e = &table[argc & 1];
  p->first = p->second = &argc;
  if (argc > 1) set(&operation);
  if (argc > 2) set_field(&opened.run);
  if (argc > 3) e->run = later;
  int result = operation.run(read(p));
  open();
  result += (int)opened.run(argc);
  nameless();
  return result + e->run('x');
}
