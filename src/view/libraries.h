#pragma once

#include "view/layout.h"
#include "view/server.h"

#include <memory>
#include <optional>
#include <string>

namespace nestor::view {

/// What Graphviz and cpp-httplib do for pages. They bring a dozen libraries, and loading these
/// takes longer than most checks; so they are in a module, `nestor-view.so`, which is loaded by the
/// first who needs one of them.
struct Libraries {
  std::string version;  ///< of the Nestor that it is part of
  /// Null where Nestor was built without Graphviz.
  std::optional<Layout> (*lay_out)(const LayoutGraph& graph) = nullptr;
  /// Null where Nestor was built without cpp-httplib. Nothing if it cannot listen.
  std::unique_ptr<Server> (*listen)(const std::string& host, std::uint16_t port,
                                    Handler answer) = nullptr;
};

/// What the module offers; nothing of it where there is no module, or that of another version.
const Libraries& libraries();

}  // namespace nestor::view
