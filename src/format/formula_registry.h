#pragma once

#include "base/input.h"
#include "logic/parser.h"

#include <string_view>
#include <vector>

namespace nestor::format {

/// One row a format of formula files.
struct FormulaFormatInfo {
  std::string_view extension;  ///< with its dot
  /// Throws Error (Input) with file, line and column.
  std::vector<logic::NamedFormula> (*read)(const base::Input& input, logic::FormulaPool& pool);
};

/// The format of the path's extension; the first one, text, if there is none for it.
const FormulaFormatInfo& find_formula_format(std::string_view path);

}  // namespace nestor::format
