#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/input.h"
#include "format/pds/pds_writer.h"
#include "generate/random_formula.h"
#include "generate/random_program.h"
#include "generate/random_pushdown.h"
#include "generate/random_rsm.h"

#include <fmt/format.h>

#include <set>

namespace nestor {

namespace {

constexpr std::size_t kMostPieces = 100'000'000;  // of any one kind, so that sums fit anywhere

void require(std::string_view what, std::size_t value, std::size_t least) {
  if (value < least || value > kMostPieces) {
    throw Error(Error::Kind::Usage,
                fmt::format("{}: '{}' is not from {} to {}", what, value, least, kMostPieces));
  }
}

Model model_of(model::Rsm machine) {
  return ModelAccess::make(
      std::make_shared<Model::Impl>(session::Subject("<generated>", std::move(machine))));
}

/// Every proposition that stands in the file.
std::vector<std::string> propositions_in(const ModelSource& source) {
  const format::FormatInfo& format = format::find_format(source.format, source.path);
  const logic::ReadModel read = format.read(base::Input::read(source.path), {.mentioned = true});
  if (read.states() != nullptr) {
    return read.states()->propositions();
  }
  std::vector<std::string> names = read.mentioned;
  for (const model::Rsm& machine : read.machines()) {
    for (const model::PropId p : machine.props()) {
      names.emplace_back(machine.prop_name(p));
    }
  }
  return names;
}

/// What is said to be defined or used somewhere, sorted.
std::set<std::string> variables(const std::vector<std::string>& propositions) {
  std::set<std::string> found;
  for (const std::string& name : propositions) {
    for (const std::string_view prefix : {"def__", "use__", "usedef__"}) {
      if (name.size() > prefix.size() && name.starts_with(prefix)) {
        found.insert(name.substr(prefix.size()));
      }
    }
  }
  return found;
}

}  // namespace

Model random_rsm(const RandomRsmOptions& options, std::uint64_t seed) {
  require("components", options.components, 1);
  require("boxes", options.boxes, 0);
  require("nodes", options.nodes, 1);
  base::Random random(seed);
  return model_of(generate::random_rsm(options, random));
}

Model random_program(const RandomProgramOptions& options, std::uint64_t seed) {
  require("nodes", options.nodes, 1);
  base::Random random(seed);
  return model_of(generate::random_program(options, random));
}

std::string random_pushdown(const RandomPushdownOptions& options, std::uint64_t seed) {
  require("controls", options.controls, 1);
  require("symbols", options.symbols, 1);
  require("pops", options.pops, 0);
  require("rewrites", options.rewrites, 0);
  require("pushes", options.pushes, 0);
  require("controls times symbols", options.controls * options.symbols, 1);
  base::Random random(seed);
  return format::format_pds(generate::random_pushdown(options, random));
}

std::vector<Formula> random_formulas(std::size_t count, const RandomFormulaOptions& options,
                                     std::uint64_t seed) {
  require("count", count, 1);
  require("depth", options.quantifier_depth, 0);
  require("width", options.width, 0);
  base::Random random(seed);
  std::vector<Formula> formulas;
  for (; count > 0; --count) {
    logic::FormulaPool pool;
    const logic::FormulaId formula = generate::random_formula(pool, options, random);
    formulas.push_back(
        FormulaAccess::of(std::move(pool), logic::NamedFormula{formula, {}, {}, {}}));
  }
  return formulas;
}

std::vector<Formula> use_def_formulas(const ModelSource& source) {
  std::vector<Formula> formulas;
  for (const std::string& variable : variables(propositions_in(source))) {
    const auto either = [&](std::string_view prefix) {
      return Formula::atom(fmt::format("{}{}", prefix, variable)) |
             Formula::atom("usedef__" + variable);
    };
    formulas.push_back(
        Formula::unary("AG", implies(either("def__"), Formula::unary("EF", either("use__")))));
  }
  return formulas;
}

}  // namespace nestor
