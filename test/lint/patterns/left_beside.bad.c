/* Who is given it empties it: the texts are made again, and the first are lost. */
#include <stdlib.h>
#include <string.h>
struct host {
  char *name;
  int port;
  char *place;
};
static char *text(int number) {
  char *made = strdup(number > 3 ? "x" : "unknown");
  if (made == NULL) abort();
  return made;
}
static void note(struct host *host) {
  if (host->port > 5) host->name = NULL;
}
static const char *name_of(struct host *host) {
  if (host->name == NULL) {
    host->name = text(host->port);
    host->place = text(host->port + 1);
  }
  return host->name;
}
int tell(struct host *host) {
  int letter = name_of(host)[0]; /* warn: memory-leak */
  note(host);
  return letter + name_of(host)[1];
}
int main(int argc, char **argv) {
  struct host host = {NULL, argc, NULL};
  int result = tell(&host);
  (void)argv;
  free(host.name);
  free(host.place);
  return result;
}
