#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
static char *title;
static int log_file = -1;
static void set_title(const char *text) {
  if (title != NULL && strcmp(title, text) == 0) return;
  title = strdup(text); /* warn */
}
static void clear_title(void) {
  free(title);
  title = NULL;
}
static void open_log(const char *path) {
  if (log_file < 0) log_file = open(path, O_WRONLY);
}
static void close_log(void) {
  if (log_file < 0) return;
  log_file = -1; /* warn */
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    set_title(argv[i]);
    open_log(argv[i]);
    close_log();
  }
  clear_title();
  return 0;
}
