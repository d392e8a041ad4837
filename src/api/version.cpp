#include <nestor/version.h>

namespace nestor {

std::string_view version() {
  return NESTOR_VERSION;
}

}  // namespace nestor
