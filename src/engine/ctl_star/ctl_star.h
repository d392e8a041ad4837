#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::ctl_star {

std::unique_ptr<Engine> make_ctl_star();

}  // namespace nestor::engine::ctl_star
