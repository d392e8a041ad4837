int run(int n) {
  int result = 0;
  if (n > 1) result = n;
  return result;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
