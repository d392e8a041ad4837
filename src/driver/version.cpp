#include "driver/version.h"

namespace nestor::driver {

const std::string_view kVersion = NESTOR_VERSION;

}  // namespace nestor::driver
