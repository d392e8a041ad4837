#pragma once

#include "view/server.h"

namespace nestor::view {

/// listen(), in the module. Nothing if it cannot listen.
std::unique_ptr<Server> listen_by_httplib(const std::string& host, std::uint16_t port,
                                          Handler answer);

}  // namespace nestor::view
