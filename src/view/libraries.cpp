#include "view/libraries.h"

#include <dlfcn.h>
#include <nestor/error.h>
#include <nestor/version.h>

namespace nestor::view {

namespace {

Libraries load() {
  // Looked for in the RUNPATH of the program (tools/CMakeLists.txt), and never unloaded.
  void* module = dlopen("nestor-view.so", RTLD_NOW | RTLD_LOCAL);
  void* symbol = module == nullptr ? nullptr : dlsym(module, "nestor_view_libraries");
  if (symbol == nullptr) {
    return {};
  }
  const auto* offered = reinterpret_cast<const Libraries* (*)()>(symbol)();
  return offered->version == version() ? *offered : Libraries();
}

}  // namespace

const Libraries& libraries() {
  static const Libraries loaded = load();
  return loaded;
}

bool can_lay_out() {
  return libraries().lay_out != nullptr;
}

std::optional<Layout> lay_out(const LayoutGraph& graph) {
  return can_lay_out() ? libraries().lay_out(graph) : std::nullopt;
}

std::unique_ptr<Server> listen(const std::string& host, std::uint16_t port, Handler answer) {
  if (libraries().listen == nullptr) {
    throw Error(Error::Kind::Usage,
                "this nestor was built without its server (libcpp-httplib-dev was missing), or its "
                "module nestor-view.so is not where it was installed");
  }
  std::unique_ptr<Server> server = libraries().listen(host, port, std::move(answer));
  if (!server) {
    throw Error(Error::Kind::System,
                "cannot listen on " + host + (port == 0 ? "" : ":" + std::to_string(port)));
  }
  return server;
}

}  // namespace nestor::view
