/* rule: member-leak. What a constructor is given lies in a member, and a destructor releases the structure. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct entry {
  struct entry *next;
  int fd;
  int uses;
};

static struct entry *wrap(int fd) {
  struct entry *one = malloc(sizeof *one);
  if (one == NULL) abort();
  one->next = NULL;
  one->fd = fd;
  one->uses = 0;
  return one;
}

static void drop(struct entry *one) {
  free(one);
}

static int number(const struct entry *one) {
  return one->fd;
}

static void end(struct entry *one) {
  if (one->uses > 0 && isatty(one->fd)) abort();
  drop(one); /* warn: member-leak */
}

int main(int argc, char **argv) {
  int fd = open(argv[argc - 1], O_RDONLY);
  if (fd < 0) return 1;
  struct entry *one = wrap(fd);
  int n = number(one);
  end(one);
  return n > 100;
}
