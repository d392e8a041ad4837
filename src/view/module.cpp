// The one name that the module nestor-view.so shows.

#include "view/graphviz_layout.h"
#include "view/httplib_server.h"
#include "view/libraries.h"

#include <nestor/export.h>

namespace nestor::view {

extern "C" NESTOR_API const Libraries* nestor_view_libraries() {
  static const Libraries offered = [] {
    Libraries libraries;
    libraries.version = NESTOR_VERSION;
#ifdef NESTOR_GRAPHVIZ
    libraries.lay_out = lay_out_by_graphviz;
#endif
#ifdef NESTOR_SERVER
    libraries.listen = listen_by_httplib;
#endif
    return libraries;
  }();
  return &offered;
}

}  // namespace nestor::view
