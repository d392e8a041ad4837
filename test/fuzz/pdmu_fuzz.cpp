// Bytes as a pushdown system of PDSolver with its mu property. They are refused with an Error or
// read; a property that is translated can be printed and read as CTL, one that is not is decided,
// as far as a bound on the work allows.

#include "base/input.h"
#include "engine/mu/mu.h"
#include "format/pds/pdmu_reader.h"
#include "logic/parser.h"
#include "logic/printer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const nestor::base::Input input = nestor::base::Input::from_text(
      "fuzz.pdmu", std::string_view(reinterpret_cast<const char*>(data), size));
  std::optional<nestor::model::Rsm> model;
  try {
    model = nestor::format::read_pdmu(input, nestor::model::DeadEnds::Keep);
  } catch (const nestor::base::Error&) {
    // refused
  }
  nestor::logic::FormulaPool pool;
  std::vector<nestor::logic::ModelProperty> properties;
  try {
    properties = nestor::format::read_pdmu_properties(input, pool);
  } catch (const nestor::base::Error&) {
    return 0;
  }
  for (const nestor::logic::ModelProperty& property : properties) {
    const nestor::logic::FormulaId formula = property.formula.formula;
    if (formula.valid() != (property.mu == nullptr) || !property.unsupported.empty()) {
      std::abort();
    }
    if (formula.valid() && nestor::logic::parse_formula(
                               pool, nestor::logic::to_string(pool, formula), {}) != formula) {
      std::abort();
    }
    if (model && property.mu != nullptr) {
      nestor::engine::Env env;
      env.limits.steps = 20000;
      nestor::engine::mu::check_mu(*model, *property.mu, env);
    }
  }
  return 0;
}
