#include "format/registry.h"

#include "format/bitcode/reader.h"
#include "format/pds/pdmu_reader.h"
#include "format/pds/pds_reader.h"
#include "format/pds/pds_writer.h"
#include "format/rsm_json/reader.h"
#include "format/rsm_json/writer.h"
#include "net/net_atom.h"
#include "net/net_simplifier.h"
#include "net/pnml_reader.h"
#include "net/prod_reader.h"
#include "smv/reader.h"
#include "smv/value_atom.h"
#include "smv/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor::format {

namespace {

logic::ReadModel of_machine(model::Rsm machine) {
  logic::ReadModel read;
  read.model.emplace<logic::ReadModel::Machines>().push_back(std::move(machine));
  return read;
}

logic::ReadModel of_states(logic::ReadModel::States states) {
  logic::ReadModel read;
  read.model = std::move(states);
  return read;
}

logic::ReadModel rsm_row(const base::Input& input, const logic::ReadOptions& options) {
  return of_machine(read_rsm_json(input, options.dead_ends));
}

logic::ReadModel pds_row(const base::Input& input, const logic::ReadOptions& options) {
  logic::ReadModel read = of_machine(read_pds(input, options.dead_ends));
  if (options.mentioned) {
    read.mentioned = read_pds_propositions(input);
  }
  return read;
}

logic::ReadModel pdmu_row(const base::Input& input, const logic::ReadOptions& options) {
  logic::ReadModel read = of_machine(read_pdmu(input, options.dead_ends));
  if (options.properties != nullptr) {
    read.properties = read_pdmu_properties(input, *options.properties);
  }
  if (options.mentioned) {
    read.mentioned = read_pdmu_propositions(input);
  }
  return read;
}

net::NetStages stages_up_to(NetStage last) {
  return {.state_equation = last >= NetStage::StateEquation,
          .reductions = last >= NetStage::Reductions,
          .stubborn_sets = last >= NetStage::StubbornSets,
          .decision_diagrams = last >= NetStage::DecisionDiagrams};
}

logic::ReadModel of_net(std::shared_ptr<net::NetStates> states, NetStage last_stage) {
  auto simplifier = net::make_net_simplifier(states, stages_up_to(last_stage));
  logic::ReadModel read = of_states(std::move(states));
  read.simplifier = std::move(simplifier);
  return read;
}

logic::ReadModel pnml_row(const base::Input& input, const logic::ReadOptions& options) {
  try {
    return of_net(net::read_pnml(input, options.limits), options.last_stage);
  } catch (const base::LimitReached& limit) {
    return {limit, {}, {}, {}, {}};
  }
}

logic::ReadModel prod_row(const base::Input& input, const logic::ReadOptions&) {
  net::ProdNetRead net = net::read_prod(input);
  logic::ReadModel read = of_states(std::move(net.states));
  read.simplifier = std::move(net.simplifier);
  return read;
}

constexpr std::array kFormats = {
    FormatInfo{.id = "rsm",
               .extension = ".rsm",
               .description = "recursive state machines in JSON",
               .read = rsm_row,
               .write = [](const model::Rsm& model) { return write_rsm_json(model); }},
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
               .description = "place/transition nets and symmetric nets in PNML",
               .read = pnml_row,
               .atoms = net::net_atom_dialect},
    FormatInfo{.id = "prod",
               .extension = ".net",
               .description = "predicate/transition nets of PROD",
               .read = prod_row,
               .atoms = net::net_atom_dialect},
    FormatInfo{.id = "smv",
               .extension = ".smv",
               .description = "modules of NuSMV, with calls between them as in RMV",
               .read = smv::read_smv,
               .write = smv::write_smv,
               .has_properties = true,
               .atoms = smv::value_atom_dialect},
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

logic::AtomDialects atom_dialects() {
  static const std::vector<logic::AtomDialect> kDialects = [] {
    std::vector<logic::AtomDialect> dialects;
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
  throw base::Error(
      base::Error::Kind::Usage,
      id.empty() ? fmt::format("cannot tell the format of '{}' by its name, expected one of: {}",
                               path, known_formats())
                 : fmt::format("unknown format '{}', expected one of: {}", id, known_formats()));
}

model::Rsm read_machine(const FormatInfo& format, const base::Input& input) {
  logic::ReadModel read = format.read(input, {});
  const auto machines = std::get_if<logic::ReadModel::Machines>(&read.model);
  if (machines == nullptr) {
    throw base::Error(base::Error::Kind::Unsupported,
                      "the states of the model would have to be explored", {input.name(), 0, 0});
  }
  return std::move(machines->front());
}

}  // namespace nestor::format
