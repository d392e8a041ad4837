#include "view/server.h"

#include <nestor/error.h>

namespace nestor::view {

Server::Server(const std::string& /*host*/, std::uint16_t /*port*/, Handler /*answer*/) {
  throw Error(Error::Kind::Usage,
              "this nestor was built without its server (libcpp-httplib-dev was missing)");
}
Server::~Server() = default;
void Server::run() {}
void Server::stop() {}

void run_until_signal(Server& /*server*/, std::atomic<bool>& /*stopping*/) {}

}  // namespace nestor::view
