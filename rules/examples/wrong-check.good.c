#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *run(void *argument) { return argument; }

/* a caller may look at what comes back */
static int print(const char *text) {
  int written = fprintf(stdout, "%s", text);
  if (written == 0) {
    fputs("nothing", stderr);
  }
  return written;
}

int main(int argc, char **argv) {
  char buffer[100];
  pthread_t thread;
  int c;
  while ((c = getc(stdin)) != '\n') {
    if (c == EOF) {
      return 1;
    }
  }
  if (getc(stdin) == 0) {
    return 2;
  }
  ssize_t got = read(0, buffer, sizeof buffer);
  if (got == 0) {
    return 0;
  }
  if (snprintf(buffer, sizeof buffer, "%s", argv[0]) >= (int)sizeof buffer) {
    return 1;
  }
  if (scanf("%99s", buffer) != 1 || fgets(buffer, sizeof buffer, stdin) == NULL) {
    return 1;
  }
  int error = pthread_create(&thread, NULL, run, NULL);
  if (error == EAGAIN || error > 0) {
    return 1;
  }
  int fd = open(argv[0], O_RDONLY);
  if (fd == 0) {
    fd = dup(fd);
  }
  if (fd < 0) {
    return 1;
  }
  int written = printf("%d", argc);
  if (written == 0) {
    return 0;
  }
  if (written < 0) {
    return 1;
  }
  return system(argv[0]) == 0 ? print(buffer) : 1;
}
