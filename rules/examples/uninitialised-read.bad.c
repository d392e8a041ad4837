int run(int n) {
  int result;  /* warn */
  if (n > 3) result = 1;
  return result;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
