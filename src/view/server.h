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
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  virtual const std::string& address() const = 0;  ///< what to open
  /// Serves until stop() is called, by whatever thread, or a request cannot be taken any more.
  virtual void run() = 0;
  virtual void stop() = 0;
};

/// Several threads call `answer`. Throws Error (System) if it cannot listen, Error (Usage) if
/// Nestor was built without a server. Port 0: one that is free.
std::unique_ptr<Server> listen(const std::string& host, std::uint16_t port, Handler answer);

/// Runs a server until SIGINT or SIGTERM comes; `stopping` is then set, so that those who work on
/// an answer can give up.
void run_until_signal(Server& server, std::atomic<bool>& stopping);

}  // namespace nestor::view
