#include <stdio.h>
struct view { const char *text; };
const char *name_of(int number) {
  static char buffer[16];
  snprintf(buffer, sizeof buffer, "no %d", number);
  return buffer;
}
static int length_of(struct view *view) { return printf("%s", view->text); }
int show(struct view *view, int number) {
  char text[16];
  const char *before = view->text;
  int length;
  snprintf(text, sizeof text, "%d", number);
  view->text = text;
  length = length_of(view);
  view->text = before;  /* taken back */
  return length;
}
int main(int argc, char **argv) {
  struct view view = {argv[0]};
  return puts(name_of(argc)) + show(&view, argc);
}
