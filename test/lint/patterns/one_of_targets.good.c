/* A table tells which function to call and what it has done: one of them releases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void show(char *text) { puts(text); }
static void drop(char *text) { free(text); }
static const struct command { char name; int ends; void (*run)(char *); } commands[] = {{'s', 0, show}, {'d', 1, drop}};
static int work(const char *orders) {
  char *text = strdup(orders);
  if (text == NULL) return 1;
  int ended = 0;
  for (; !ended && *orders != '\0'; ++orders) {
    for (int i = 0; i < 2; ++i) {
      if (commands[i].name == *orders) {
        commands[i].run(text);
        ended = commands[i].ends;
        break;
      }
    }
  }
  if (!ended) free(text);
  return 0;
}
int main(int argc, char **argv) { return argc > 1 ? work(argv[1]) : 0; }
