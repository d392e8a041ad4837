#pragma once

#include "base/input.h"
#include "logic/atom_dialect.h"
#include "logic/read_model.h"
#include "model/rsm.h"

#include <span>
#include <string>
#include <string_view>

namespace nestor::format {

/// One row a file format. Help, tests and docs read the rows; nothing else lists formats.
struct FormatInfo {
  std::string_view id;           ///< for --from and --to
  std::string_view extension;    ///< with its dot
  std::string_view description;  ///< one line
  /// Throws Error (Input) with file, line and column.
  logic::ReadModel (*read)(const base::Input& input, const logic::ReadOptions& options);
  /// The whole file as text. Null if the format is only read.
  std::string (*write)(const model::Rsm& model) = nullptr;
  bool has_properties = false;  ///< its files may hold properties
  std::string_view other_extension = {};
  /// What atoms the format's models understand beside names. Null if none.
  logic::AtomDialect atoms = nullptr;
};

std::span<const FormatInfo> format_registry();
/// The format named `id`, or if `id` is empty the one of the path's extension (for `-`: RSM JSON).
/// Throws Error (Usage) listing the known ones.
const FormatInfo& find_format(std::string_view id, std::string_view path);
/// The dialects of all formats: formulas are read before the model.
logic::AtomDialects atom_dialects();

/// The machine of a file that has one: for files that a program wrote itself. Throws Error.
model::Rsm read_machine(const FormatInfo& format, const base::Input& input);

}  // namespace nestor::format
