#include "format/registry.h"

#include "format/bitcode/reader.h"
#include "format/pds/pdmu_reader.h"
#include "format/pds/pds_reader.h"
#include "format/pds/pds_writer.h"
#include "format/rsm_json/reader.h"
#include "format/rsm_json/writer.h"
#include "net/net_atom.h"
#include "net/pnml_reader.h"
#include "net/prod_reader.h"
#include "smv/reader.h"
#include "smv/value_atom.h"
#include "smv/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor {

namespace {

ReadModel of_machine(Rsm machine) {
  ReadModel read;
  read.model.emplace<ReadModel::Machines>().push_back(std::move(machine));
  return read;
}

ReadModel of_states(ReadModel::States states) {
  ReadModel read;
  read.model = std::move(states);
  return read;
}

ReadModel rsm_row(const Input& input, const ReadOptions& options) {
  return of_machine(read_rsm_json(input, options.dead_ends));
}

ReadModel pds_row(const Input& input, const ReadOptions& options) {
  ReadModel read = of_machine(read_pds(input, options.dead_ends));
  if (options.mentioned) {
    read.mentioned = read_pds_propositions(input);
  }
  return read;
}

ReadModel pdmu_row(const Input& input, const ReadOptions& options) {
  ReadModel read = of_machine(read_pdmu(input, options.dead_ends));
  if (options.properties != nullptr) {
    read.properties = read_pdmu_properties(input, *options.properties);
  }
  if (options.mentioned) {
    read.mentioned = read_pdmu_propositions(input);
  }
  return read;
}

ReadModel pnml_row(const Input& input, const ReadOptions&) {
  return of_states(read_pnml(input));
}

ReadModel prod_row(const Input& input, const ReadOptions&) {
  return of_states(read_prod(input));
}

constexpr std::array kFormats = {
    FormatInfo{.id = "rsm",
               .extension = ".rsm",
               .description = "recursive state machines in JSON",
               .read = rsm_row,
               .write = [](const Rsm& model) { return write_rsm_json(model); }},
    FormatInfo{.id = "pds",
               .extension = ".pds",
               .description = "pushdown systems of PuMoC",
               .read = pds_row,
               .write = write_pds},
    FormatInfo{.id = "pdmu",
               .extension = ".pdmu",
               .description = "pushdown systems of PDSolver, with a mu property",
               .read = pdmu_row,
               .has_properties = true},
    FormatInfo{.id = "pnml",
               .extension = ".pnml",
               .description = "place/transition nets in PNML",
               .read = pnml_row,
               .atoms = net_atom_dialect},
    FormatInfo{.id = "prod",
               .extension = ".net",
               .description = "predicate/transition nets of PROD",
               .read = prod_row,
               .atoms = net_atom_dialect},
    FormatInfo{.id = "smv",
               .extension = ".smv",
               .description = "modules of NuSMV, with calls between them as in RMV",
               .read = read_smv,
               .write = write_smv,
               .has_properties = true,
               .atoms = value_atom_dialect},
    FormatInfo{.id = "llvm",
               .extension = ".bc",
               .description = "C and C++ programs as LLVM bitcode (.bc) or assembly (.ll)",
               .read = read_bitcode,
               .other_extension = ".ll"},
};

bool has_extension(const FormatInfo& format, std::string_view path) {
  return path.ends_with(format.extension) ||
         (!format.other_extension.empty() && path.ends_with(format.other_extension));
}

std::string known_formats() {
  std::string list;
  for (const FormatInfo& format : kFormats) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", format.id, format.extension);
  }
  return list;
}

}  // namespace

std::span<const FormatInfo> format_registry() {
  return kFormats;
}

AtomDialects atom_dialects() {
  static const std::vector<AtomDialect> kDialects = [] {
    std::vector<AtomDialect> dialects;
    for (const FormatInfo& format : kFormats) {
      if (format.atoms != nullptr && std::ranges::find(dialects, format.atoms) == dialects.end()) {
        dialects.push_back(format.atoms);
      }
    }
    return dialects;
  }();
  return kDialects;
}

const FormatInfo& find_format(std::string_view id, std::string_view path) {
  if (id.empty() && path == "-") {
    return kFormats.front();
  }
  for (const FormatInfo& format : kFormats) {
    if (id.empty() ? has_extension(format, path) : id == format.id) {
      return format;
    }
  }
  throw Error(Error::Kind::Usage,
              id.empty()
                  ? fmt::format("cannot tell the format of '{}' by its name, expected one of: {}",
                                path, known_formats())
                  : fmt::format("unknown format '{}', expected one of: {}", id, known_formats()));
}

Rsm read_machine(const FormatInfo& format, const Input& input) {
  ReadModel read = format.read(input, {});
  const auto machines = std::get_if<ReadModel::Machines>(&read.model);
  if (machines == nullptr) {
    throw Error(Error::Kind::Unsupported, "the states of the model would have to be explored",
                {input.name(), 0, 0});
  }
  return std::move(machines->front());
}

}  // namespace nestor
