#include <stdio.h>
struct view { const char *text; };
const char *name_of(int number) {
  char buffer[16];  /* warn */
  const char *name = buffer;
  snprintf(buffer, sizeof buffer, "no %d", number);
  return name;
}
static void fill(struct view *view, const char *text) { view->text = text; }
void show(struct view *view, int number) {
  char text[16];  /* warn */
  snprintf(text, sizeof text, "%d", number);
  fill(view, text);
}
int main(int argc, char **argv) {
  struct view view = {argv[0]};
  show(&view, argc);
  puts(view.text);
  return puts(name_of(argc));
}
