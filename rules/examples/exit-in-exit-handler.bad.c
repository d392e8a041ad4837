#include <stdlib.h>
static void fail(void) { exit(2); }  /* warn */
static void clean_up(void) { if (rand() == 0) fail(); }
int main(void) { return atexit(clean_up); }
