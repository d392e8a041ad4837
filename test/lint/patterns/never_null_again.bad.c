/* What is made each time it is asked for is lost: the first is overwritten. */
#include <stdlib.h>
#include <string.h>
struct host {
  char *name;
  int port;
  char *place;
};
static char *find(int number) { return number > 3 ? strdup("x") : NULL; }
static char *text(int number) {
  char *found;
  if ((found = find(number)) != NULL) return found;
  found = strdup("unknown");
  if (found == NULL) abort();
  return found;
}
static const char *name_of(struct host *host) {
  if (host->port != 0) {
    host->name = text(host->port);
    host->place = text(host->port + 1);
  }
  return host->name;
}
int tell(struct host *host) {
  int letter = name_of(host)[0]; /* warn: memory-leak */
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
