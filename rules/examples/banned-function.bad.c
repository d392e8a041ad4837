char *gets(char *to);
static char line[80];
int main(void) { return gets(line) == 0; }  /* warn */
