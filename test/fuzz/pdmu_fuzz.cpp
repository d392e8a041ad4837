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
  const nestor::Input input = nestor::Input::from_text(
      "fuzz.pdmu", std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    nestor::read_pdmu(input, nestor::DeadEnds::Keep);
  } catch (const nestor::Error&) {
    // refused
  }
  nestor::FormulaPool pool;
  std::vector<nestor::ModelProperty> properties;
  try {
    properties = nestor::read_pdmu_properties(input, pool);
  } catch (const nestor::Error&) {
    return 0;
  }
  for (const nestor::ModelProperty& property : properties) {
    const nestor::FormulaId formula = property.formula.formula;
    if (formula.valid() != property.unsupported.empty()) {
      std::abort();
    }
    if (formula.valid() &&
        nestor::parse_formula(pool, nestor::to_string(pool, formula), {}) != formula) {
      std::abort();
    }
  }
  return 0;
}
