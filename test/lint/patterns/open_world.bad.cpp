// A function that calls itself by its name, or through a pointer that holds nothing else.
int down(int n) { return down(n - 1); } /* warn: endless-recursion */
int through(int n) {                    /* warn: endless-recursion */
  int (*self)(int) = through;
  return self(n - 1);
}
int main(int argc, char **) { return down(argc) + through(argc); }
