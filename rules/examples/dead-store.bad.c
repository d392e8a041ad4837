int compute(int n);
int compute(int n) { return n + 1; }
int run(int n) {
  int result = compute(n);  /* warn */
  result = compute(n + 1);
  int rest = result;
  rest = compute(rest);  /* warn */
  return result;
}
int constant(int n) {
  int kind;
  kind = 3;  /* warn */
  if (n > 1) kind = 4; else kind = 5;
  return kind;
}
int main(int argc, char **argv) { (void)argv; return run(argc) + constant(argc); }
