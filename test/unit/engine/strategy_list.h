#pragma once

#include "engine/engine.h"
#include "engine/strategies/strategies.h"

#include <array>
#include <memory>

namespace nestor::engine {

struct Strategy {
  const char* name;
  std::unique_ptr<Engine> (*make)();
};
constexpr std::array kStrategies{
    Strategy{"eager", strategies::make_eager}, Strategy{"ternary", strategies::make_ternary},
    Strategy{"lazy", strategies::make_lazy}, Strategy{"random", strategies::make_random},
    Strategy{"lazy-plain", strategies::make_lazy_plain}};

}  // namespace nestor::engine
