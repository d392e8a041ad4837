#include <unistd.h>
static int drop_user(void) { return setuid(1000); }
static int drop_group(void) { return setgid(1000); }
int main(void) { return drop_group() != 0 || drop_user() != 0; }
