// A function that runs before main.
static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int main(void) { return ready; }
// It is one of the ways in, as main is:
// CHECK holds: EF entry_prepare
// CHECK holds: EF entry_main
// CHECK fails: AG !entry_prepare
