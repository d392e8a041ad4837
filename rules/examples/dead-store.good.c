int compute(int n);
int compute(int n) { return n + 1; }
int run(int n) {
  int result = compute(n);
  while (n-- > 0) result = compute(result);
  return result;
}
int careful(int n) {
  int kind = 3;  /* to be on the safe side */
  if (n > 1) kind = 4; else kind = 5;
  n = 0;
  return kind;
}
int main(int argc, char **argv) { (void)argv; return run(argc) + careful(argc); }
