#include "format/registry.h"

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

constexpr std::array kFormats = {
    FormatInfo{"rsm", ".rsm", "recursive state machines in JSON", read_rsm_json, write_rsm_json},
    FormatInfo{"pds", ".pds", "pushdown systems of PuMoC", read_pds, write_pds, nullptr,
               read_pds_propositions},
    FormatInfo{"pdmu", ".pdmu", "pushdown systems of PDSolver, with a mu property", read_pdmu,
               nullptr, read_pdmu_properties, read_pdmu_propositions},
    FormatInfo{"pnml", ".pnml", "place/transition nets in PNML", nullptr, nullptr, nullptr, nullptr,
               read_pnml, nullptr, net_atom_dialect},
    FormatInfo{"prod", ".net", "predicate/transition nets of PROD", nullptr, nullptr, nullptr,
               nullptr, read_prod, nullptr, net_atom_dialect},
    FormatInfo{"smv", ".smv", "modules of NuSMV, with calls between them as in RMV", nullptr,
               write_smv, nullptr, nullptr, nullptr, read_smv, value_atom_dialect},
};

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
    if (id.empty() ? path.ends_with(format.extension) : id == format.id) {
      return format;
    }
  }
  throw Error(Error::Kind::Usage,
              id.empty()
                  ? fmt::format("cannot tell the format of '{}' by its name, expected one of: {}",
                                path, known_formats())
                  : fmt::format("unknown format '{}', expected one of: {}", id, known_formats()));
}

}  // namespace nestor
