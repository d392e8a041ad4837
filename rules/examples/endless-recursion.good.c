int odd(int n);
int even(int n) { return n == 0 || odd(n - 1); }
int odd(int n) { return n != 0 && even(n - 1); }
void serve(void) { for (;;) even(3); }  /* endless, but not by recursion */
int main(int argc, char **argv) { (void)argv; if (argc > 1) serve(); return even(argc); }
