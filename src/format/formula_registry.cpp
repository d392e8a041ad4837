#include "format/formula_registry.h"

#include "net/mcc_formulas.h"

#include <array>

namespace nestor {

namespace {

std::vector<NamedFormula> read_text(const Input& input, FormulaPool& pool) {
  return parse_formula_file(pool, input.text(), input.name());
}

constexpr std::array kFormats = {
    FormulaFormatInfo{".ctl", read_text},          // one formula a line
    FormulaFormatInfo{".xml", read_mcc_formulas},  // of the Model Checking Contest
};

}  // namespace

const FormulaFormatInfo& find_formula_format(std::string_view path) {
  for (const FormulaFormatInfo& format : kFormats) {
    if (path.ends_with(format.extension)) {
      return format;
    }
  }
  return kFormats.front();
}

}  // namespace nestor
