#include "generate/random_pushdown.h"

#include <fmt/format.h>

#include <cassert>

namespace nestor::generate {

model::PushdownSystem random_pushdown(const RandomPushdownOptions& options, base::Random& random) {
  assert(options.controls > 0 && options.symbols > 0);
  model::PushdownSystem system;
  for (std::size_t i = 0; i < options.controls; ++i) {
    system.control(fmt::format("q{}", i));
  }
  for (std::size_t i = 0; i < options.symbols; ++i) {
    system.symbol(fmt::format("s{}", i));
  }
  const auto control = [&] { return model::ControlId(random.below(options.controls)); };
  const auto symbol = [&] { return model::SymbolId(random.below(options.symbols)); };
  // Draws stand in statements of their own: the order in which arguments are evaluated is open.
  const auto rules = [&](std::size_t count, std::size_t width) {
    for (std::size_t i = 0; i < count; ++i) {
      model::PushdownRule rule;
      rule.head.control = control();
      rule.head.symbol = symbol();
      rule.target = control();
      if (width > 0) {
        rule.first = symbol();
      }
      if (width > 1) {
        rule.second = symbol();
      }
      system.rule(rule);
    }
  };
  system.initial({model::ControlId(0), model::SymbolId(0)});
  rules(options.pops, 0);
  rules(options.rewrites, 1);
  rules(options.pushes, 2);
  for (const LabelShare& label : options.labels) {
    const base::StringId proposition = system.intern(label.name);
    for (const model::ControlId q : system.controls()) {
      for (const model::SymbolId s : system.symbols()) {
        if (random.chance(label.share)) {
          system.label(model::Head{q, s}, proposition);
        }
      }
    }
  }
  return system;
}

}  // namespace nestor::generate
