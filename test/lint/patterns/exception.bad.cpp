// An exception leaves a function as a return does.
static int work(int n) {
  if (n < 0) throw n;
  return n;
}
int run(int n) {
  int *memory = new int(n); /* warn: memory-leak */
  int result = work(n) + *memory;
  delete memory;
  return result;
}
int main(int argc, char **) {
  try {
    return run(argc - 2);
  } catch (int) {
    return 1;
  }
}
