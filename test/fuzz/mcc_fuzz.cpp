// Bytes as formulas of the Model Checking Contest. They are refused with an Error or read; the text
// of what is read, as a formula of ours, must be the same formula.

#include "base/input.h"
#include "logic/parser.h"
#include "net/mcc_formulas.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  nestor::logic::FormulaPool pool;
  try {
    for (const nestor::logic::NamedFormula& formula :
         nestor::net::read_mcc_formulas(nestor::base::Input::from_text("fuzz.xml", text), pool)) {
      if (nestor::logic::parse_formula(pool, formula.text, {}) != formula.formula) {
        std::abort();
      }
    }
  } catch (const nestor::base::Error&) {
  }
  return 0;
}
