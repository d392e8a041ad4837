// Constant arguments are labels of the call, by their position.
int open(const char *name, int flags, ...);
int close(int descriptor);
int chdir(const char *name);

int main(int argc, char **argv) {
  open("/etc/passwd", 2, 7);
  chdir(argv[1]);
  close(argc);
  return 0;
}
// CHECK holds: EF (call_open & "arg0=/etc/passwd" & "arg1=2" & "arg2=7")
// Not in another position:
// CHECK fails: EF ("arg1=/etc/passwd" | "arg2=/etc/passwd" | "arg0=2" | "arg2=2" | "arg0=7" | "arg1=7")
// What is not constant has no label:
// CHECK fails: EF (call_chdir & ("arg0=/etc/passwd" | "arg0="))
// CHECK fails: EF (call_close & ("arg0=0" | "arg0=1" | "arg0=2"))
