static void fill(int *to) { *to = 3; }
int run(int n) {
  int result, other, both;
  if (n > 3) result = 1; else result = 2;
  fill(&other);
  if (n > 1 && (both = n) > 2) result += both;  /* not read where && stops */
  return result + other;
}
int main(int argc, char **argv) { (void)argv; return run(argc); }
