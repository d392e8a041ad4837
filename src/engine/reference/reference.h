#pragma once

#include "engine/engine.h"

#include <memory>

namespace nestor::engine::reference {

/// The plainest correct engine: see reference.cpp. Every other engine is tested against it.
std::unique_ptr<Engine> make_reference();

}  // namespace nestor::engine::reference
