#include "format/formula_registry.h"

#include "net/mcc_formulas.h"

#include <array>

namespace nestor::format {

namespace {

std::vector<logic::NamedFormula> read_text(const base::Input& input, logic::FormulaPool& pool) {
  return logic::parse_formula_file(pool, input.text(), input.name());
}

constexpr std::array kFormulaFormats = {
    FormulaFormatInfo{".ctl", read_text},               // one formula a line
    FormulaFormatInfo{".xml", net::read_mcc_formulas},  // of the Model Checking Contest
};

}  // namespace

const FormulaFormatInfo& find_formula_format(std::string_view path) {
  for (const FormulaFormatInfo& format : kFormulaFormats) {
    if (path.ends_with(format.extension)) {
      return format;
    }
  }
  return kFormulaFormats.front();
}

}  // namespace nestor::format
