#include <unistd.h>
static int drop_user(void) { return setuid(1000); }  /* warn */
static int drop_group(void) { return setgid(1000); }
int main(void) { return drop_user() != 0 || drop_group() != 0; }
