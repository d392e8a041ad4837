#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *run(void *argument) { return argument; }

static int start(pthread_t *thread) {
  if (pthread_create(thread, NULL, run, NULL) < 0) { /* warn */
    return -1;
  }
  return 0;
}

int main(int argc, char **argv) {
  char line[100] = "";
  char copy[20];
  pthread_t thread;
  if (fgets(line, sizeof line, stdin) < 0) { /* warn */
    return 1;
  }
  if (!puts(line)) { /* warn */
    return 1;
  }
  size_t length = snprintf(copy, sizeof copy, "%s", line); /* warn */
  if (length < 0) {
    return 1;
  }
  int got = scanf("%19s", copy); /* warn */
  if (0 == got) {
    return 1;
  }
  if (setuid(getuid()) == 1) { /* warn */
    abort();
  }
  if (fwrite(copy, 1, 3, stdout) < 0) { /* warn */
    return 1;
  }
  return start(&thread);
}
