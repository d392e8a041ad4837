int compute(int n);
int compute(int n) { return n + 1; }
int run(int n) {
  int result = compute(n);
  while (n-- > 0) result = compute(result);
  return result;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
