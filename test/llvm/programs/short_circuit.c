// The value of `a && b` is a phi of constants: where `a` is false, the body is not entered. One loop asks `first`
// and `second`; its body is entered only after both.
// CHECK holds: !E [!call_second U call_body]
// CHECK holds: AG (call_body -> EX A [!call_body W call_second])
// CHECK holds: EF call_body
int first(void);
int second(void);
void body(void);
int main(void) {
  while (first() && second()) body();
  return 0;
}
