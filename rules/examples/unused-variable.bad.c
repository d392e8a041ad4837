int run(int n) {
  int unused = n * 2;  /* warn */
  int other;  /* warn */
  other = 3;
  return n;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
