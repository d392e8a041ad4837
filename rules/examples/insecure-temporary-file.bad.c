#include <stdlib.h>
static char name[] = "/tmp/xXXXXXX";
static const char *make(void) { return mktemp(name); }  /* warn */
int main(void) { return make() == NULL; }
