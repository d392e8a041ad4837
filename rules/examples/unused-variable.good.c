int run(int n) {
  int used = n * 2;
  int on_purpose = 3;
  (void)on_purpose;
  if (n > 1) return used;
  return n;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
