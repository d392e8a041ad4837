/* A function tells of what it is given, two calls further down, and stores only what it has found. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct channel { int number; int input; };
static struct channel *channels[8];
static struct channel *found(int number) { return number < 8 ? channels[number] : NULL; }
static void set_input(struct channel *channel, int input) {
  channel->input = lseek(input, 0, SEEK_END) > 0;
  fprintf(stderr, "%d reads %d\n", channel->number, input);
}
static void start(int number, int input) {
  struct channel *channel = found(number);
  if (channel == NULL) abort();
  set_input(channel, input);
}
static int begin(const char *name, int number) {
  int input = open(name, O_RDONLY); /* warn: descriptor-leak */
  if (input < 0) return -1;
  start(number, input);
  return 0;
}
int main(int argc, char **argv) {
  for (int i = 0; i < 8; ++i) channels[i] = calloc(1, sizeof *channels[i]);
  return argc > 1 ? begin(argv[1], argc) : 0;
}
