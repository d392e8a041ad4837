#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/property.h"
#include "logic/read_model.h"
#include "model/builder.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// One row a file format. Help, tests and docs read the rows; nothing else lists formats.
struct FormatInfo {
  std::string_view id;           ///< for --from and --to
  std::string_view extension;    ///< with its dot
  std::string_view description;  ///< one line
  /// Throws Error (Input) with file, line and column. Null if `read_states` is not.
  Rsm (*read)(const Input& input, DeadEnds dead_ends);
  /// The whole file as text. Null if the format is only read.
  std::string (*write)(const Rsm& model);
  /// The properties that stand in the file. Null if the format has none. Throws Error (Input).
  std::vector<ModelProperty> (*read_properties)(const Input& input, FormulaPool& pool) = nullptr;
  /// Every proposition that the file mentions. Null if those are the model's.
  std::vector<std::string> (*read_propositions)(const Input& input) = nullptr;
  /// For formats that describe a model by how its states change. Throws Error like `read`.
  std::shared_ptr<SuccessorFunction> (*read_states)(const Input& input) = nullptr;
  /// Instead of all these, for formats that are read in one go. Throws Error like `read`.
  ReadModel (*read_all)(const Input& input, const ReadOptions& options) = nullptr;
  /// What atoms the format's models understand beside names. Null if none.
  AtomDialect atoms = nullptr;

  bool has_properties() const { return read_properties != nullptr || read_all != nullptr; }
};

std::span<const FormatInfo> format_registry();
/// The dialects of all formats. Formulas about a model of any format may have any of them: a model
/// that was converted keeps its propositions, and with them the names of its atoms.
AtomDialects atom_dialects();
/// The format named `id`, or if `id` is empty the one of the path's extension (for `-`: RSM JSON).
/// Throws Error (Usage) listing the known ones.
const FormatInfo& find_format(std::string_view id, std::string_view path);

}  // namespace nestor
