#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ignore_result(x) (void)(x)

static int write_all(FILE *out, const char *text, size_t length) {
  if (fwrite(text, 1, length, out) != length) {
    return -1;
  }
  return fwrite("\n", 1, 1, out) == 1 ? 0 : -1;
}

static int make(const char *name) { return mkdir(name, 0755); }

int main(int argc, char **argv) {
  if (make(argv[0]) != 0 || mkdir(argv[argc - 1], 0755) != 0) {
    return 1;
  }
  (void)mkdir("logs", 0700);
  /* nobody looks at this one */
  printf("%d\n", argc);
  ignore_result(fwrite("{", 1, 1, stdout));
  close(argc);
  return write_all(stdout, argv[0], 1);
}
