/* The callee asks again for what its caller has asked: it comes to no other case. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
enum mode { kRead, kWrite };
static FILE *stream_of(int fd, enum mode mode) {
  FILE *file;
  switch (mode) {
    case kRead: file = fdopen(fd, "r"); break;
    case kWrite: file = fdopen(fd, "w"); break;
    default: return NULL;
  }
  if (file == NULL) close(fd);
  return file;
}
FILE *opened(const char *name, enum mode mode);
FILE *opened(const char *name, enum mode mode) {
  int flags;
  int fd;
  switch (mode) {
    case kRead: flags = O_RDONLY; break;
    case kWrite: flags = O_WRONLY; break;
    default: return NULL;
  }
  fd = open(name, flags);
  return fd < 0 ? NULL : stream_of(fd, mode);
}
int main(int argc, char **argv) {
  FILE *file = opened(argv[0], argc > 1 ? kRead : kWrite);
  if (file != NULL) fclose(file);
  return 0;
}
