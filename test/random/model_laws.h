#pragma once

#include "base/random.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace nestor::test {

/// A model that some law relates to another one.
struct Variant {
  model::Rsm model;
  /// The formula that holds of this model exactly if the given one holds of the other model; not
  /// valid if the law says nothing about the given one. Unset: the same formula.
  std::function<logic::FormulaId(logic::FormulaPool&, logic::FormulaId)> formula;
};

/// A change to models that no formula can tell, or only in a known way.
struct ModelLaw {
  std::string_view name;
  /// None if the law does not apply to the model. Deterministic.
  std::optional<Variant> (*change)(const model::Rsm& model, base::Random& random);
};

std::span<const ModelLaw> model_laws();

}  // namespace nestor::test
