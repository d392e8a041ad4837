// What sigaction is given in a structure runs from then on, any number of times: set by an assignment, or from the start.
// CHECK holds: EF (call_sigaction & EF entry_assigned)
// CHECK holds: EF (call_sigaction & EF entry_initial)
// CHECK holds: E [!(entry_assigned | entry_initial | entry_by_signal) U exit_main]
// CHECK holds: !E [!call_sigaction U (entry_assigned | entry_initial)]
// CHECK holds: EF (call_signal & EF entry_by_signal)
// CHECK fails: EF entry_never
#include <signal.h>
static void assigned(int n) { (void)n; }
static void initial(int n) { (void)n; }
static void by_signal(int n) { (void)n; }
static void never(int n) { (void)n; }
static struct sigaction ready = {.sa_handler = initial};
int main(int argc, char **argv) {
  struct sigaction action = {0};
  void (*unused)(int) = never;
  action.sa_handler = assigned;
  sigaction(SIGINT, &action, 0);
  sigaction(SIGTERM, &ready, 0);
  signal(SIGHUP, by_signal);
  return unused == 0;
}
