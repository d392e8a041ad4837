#pragma once

#include <nestor/settings.h>

namespace nestor::session {

using nestor::ModelSource;
using nestor::Progress;
using nestor::Settings;

}  // namespace nestor::session
