int run(int n) {
  int result = 0;  /* warn */
  if (n > 1) result = n; else result = -n;
  return result;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
