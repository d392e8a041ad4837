#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace nestor::view {

/// What a browser asks, and what it is told.
struct Request {
  std::string path;                           ///< behind the token: `/`, `/ask`
  std::map<std::string, std::string> fields;  ///< of a form
};
struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};
using Handler = std::function<Response(const Request&)>;

/// A small HTTP server for one user. It answers whoever has the token that is part of its address
/// and names it by a host that is its own, so that neither other users of the machine nor pages of
/// other sites can ask; and nobody can ask it for a file.
class Server {
 public:
  /// Several threads call `answer`. Throws Error (System) if it cannot listen, Error (Usage) if
  /// Nestor was built without a server. Port 0: one that is free.
  Server(const std::string& host, std::uint16_t port, Handler answer);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  const std::string& address() const { return address_; }  ///< what to open
  /// Serves until stop() is called, by whatever thread, or a request cannot be taken any more.
  void run();
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  // shared, since there is no such type where there is no server
  std::string address_;
};

/// Runs a server until SIGINT or SIGTERM comes; `stopping` is then set, so that those who work on
/// an answer can give up.
void run_until_signal(Server& server, std::atomic<bool>& stopping);

}  // namespace nestor::view
