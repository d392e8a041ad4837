// Bytes as a pushdown system of PDSolver with its mu property. They are refused with an Error or
// read; a property that is translated can be printed and read as CTL.

#include "base/input.h"
#include "format/pds/pdmu_reader.h"
#include "logic/parser.h"
#include "logic/printer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const nestor::base::Input input = nestor::base::Input::from_text(
      "fuzz.pdmu", std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    nestor::format::read_pdmu(input, nestor::model::DeadEnds::Keep);
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
    if (formula.valid() != property.unsupported.empty()) {
      std::abort();
    }
    if (formula.valid() && nestor::logic::parse_formula(
                               pool, nestor::logic::to_string(pool, formula), {}) != formula) {
      std::abort();
    }
  }
  return 0;
}
