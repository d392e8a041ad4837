// aliases.toml says that `allocate` and `git_malloc` count as malloc, whether or not the program contains them, and that
// `enter` counts as chroot. They keep their own names as well.
// CHECK holds: EF (call_allocate & call_malloc)
// CHECK holds: EF (call_git_malloc & call_malloc)
// CHECK holds: EF (call_enter & call_chroot)
// CHECK holds: EF (failed_enter & failed_chroot)
// CHECK fails: EF (call_other & call_malloc)
// Through a pointer, too.
// CHECK holds: EF (call_now & EX EF (call_git_malloc & call_malloc))
void *git_malloc(unsigned long n);
void *other(unsigned long n);
int enter(const char *path);
void now(void);
void *allocate(unsigned long n) { return other(n); }
int main(int argc, char **argv) {
  void *(*pointer)(unsigned long) = git_malloc;
  if (enter(argv[1]) != 0) return 1;
  char *p = argc > 1 ? allocate(3) : git_malloc(3);
  now();
  return p == pointer(1);
}
