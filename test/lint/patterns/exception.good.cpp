// What a destructor or a handler frees is not lost.
struct Holder {
  explicit Holder(int n) : memory(new int(n)) {}
  ~Holder() { delete memory; }
  int *memory;
};
static int work(int n) {
  if (n < 0) throw n;
  return n;
}
int held(int n) {
  Holder holder(n);
  return work(n) + *holder.memory;
}
int handled(int n) {
  int *memory = new int(n);
  int result = 0;
  try {
    result = work(n);
  } catch (...) {
    delete memory;
    throw;
  }
  delete memory;
  return result;
}
int main(int argc, char **) {
  try {
    return held(argc - 2) + handled(argc - 2);
  } catch (int) {
    return 1;
  }
}
