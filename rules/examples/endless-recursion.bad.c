int odd(int n);
int even(int n) { return n > 0 ? odd(n - 1) : odd(n + 1); }  /* warn */
int odd(int n) { return even(n - 1); }  /* warn */
int main(int argc, char **argv) { (void)argv; return even(argc); }
