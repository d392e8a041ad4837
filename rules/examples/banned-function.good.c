#include <stdio.h>
static char line[80];
int main(void) { return fgets(line, sizeof line, stdin) == NULL; }
