int run(int n) {
  int result;
  if (n > 3) result = 1;
  return result;  /* warn */
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
