#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *title;
static int log_file = -1;
static void set_title(const char *text) {
  if (title != NULL && strcmp(title, text) == 0) return;
  free(title);
  title = strdup(text);
}
/* The caller has it then. */
static char *take_title(void) {
  char *old = title;
  title = NULL;
  return old;
}
static void open_log(const char *path) {
  if (log_file < 0) log_file = open(path, O_WRONLY);
}
static void close_log(void) {
  if (log_file < 0) return;
  close(log_file);
  log_file = -1;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    set_title(argv[i]);
    open_log(argv[i]);
    close_log();
  }
  free(take_title());
  return 0;
}
