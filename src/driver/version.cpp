#include "driver/version.h"

namespace nestor {

const std::string_view kVersion = NESTOR_VERSION;

}  // namespace nestor
