#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }
int main(void) {
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  if (sigaction(SIGTERM, &action, NULL) == 0) printf("%d", caught);
  return 0;
}
