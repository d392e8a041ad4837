#include <stdlib.h>
static char name[] = "/tmp/xXXXXXX";
/* never called: what the program cannot reach is no problem of it */
const char *unused(void) { return mktemp(name); }
int main(void) { return mkstemp(name) < 0; }
