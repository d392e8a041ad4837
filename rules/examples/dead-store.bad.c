int compute(int n);
int compute(int n) { return n + 1; }
int run(int n) {
  int result = compute(n);  /* warn */
  result = compute(n + 1);
  int rest = result;
  rest = compute(rest);  /* warn */
  return result;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
