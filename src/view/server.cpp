#include "view/server.h"

#include <csignal>
#include <thread>

namespace nestor::view {

void run_until_signal(Server& server, std::atomic<bool>& stopping) {
  // Blocked in all threads that are made from here on, taken by one that waits for them.
  sigset_t wanted;
  sigset_t before;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &wanted, &before);
  std::thread waiting([&] {
    int signal = 0;
    sigwait(&wanted, &signal);
    stopping = true;
    server.stop();
  });
  server.run();
  if (!stopping) {  // the server ended of itself: wake the thread
    pthread_kill(waiting.native_handle(), SIGINT);
  }
  waiting.join();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace nestor::view
