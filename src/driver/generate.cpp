// nestor generate: random models and formulas, and the use-def formulas of a model.

#include "base/input.h"
#include "base/random.h"
#include "driver/commands.h"
#include "format/pds/pds_writer.h"
#include "format/pds/to_rsm.h"
#include "format/registry.h"
#include "generate/random_formula.h"
#include "generate/random_program.h"
#include "generate/random_pushdown.h"
#include "generate/random_rsm.h"
#include "logic/printer.h"

#include <fmt/format.h>

#include <charconv>
#include <ostream>
#include <set>

namespace nestor::driver {

namespace {

constexpr std::uint64_t kMostPieces = 100'000'000;  // of any one kind, so that sums fit anywhere

[[noreturn]] void refuse(const std::string& message) {
  throw base::Error(base::Error::Kind::Usage, message);
}

std::size_t size(std::string_view option, std::uint64_t value, std::uint64_t least) {
  if (value < least || value > kMostPieces) {
    refuse(fmt::format("{}: '{}' is not from {} to {}", option, value, least, kMostPieces));
  }
  return static_cast<std::size_t>(value);
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return parts;
}

/// `a:0.4,b:0.6`
std::vector<generate::LabelShare> labels(const Options& options) {
  std::vector<generate::LabelShare> result;
  for (const std::string_view part : split(options.labels)) {
    const std::size_t colon = part.rfind(':');
    generate::LabelShare label;
    const char* end = part.data() + part.size();
    if (colon == 0 || colon == std::string_view::npos) {
      refuse(fmt::format("--labels: '{}' is not of the form NAME:SHARE", part));
    }
    label.name = part.substr(0, colon);
    const std::from_chars_result parsed =
        std::from_chars(part.data() + colon + 1, end, label.share);
    if (parsed.ec != std::errc() || parsed.ptr != end || !(label.share >= 0 && label.share <= 1)) {
      refuse(fmt::format("--labels: '{}' is not a number from 0 to 1", part.substr(colon + 1)));
    }
    result.push_back(std::move(label));
  }
  return result;
}

std::string written(const Options& options, const model::Rsm& model) {
  const format::FormatInfo& format =
      format::find_format(options.to, options.output.empty() ? "-" : options.output);
  if (format.write == nullptr) {
    refuse(fmt::format("format '{}' can only be read, not written", format.id));
  }
  return format.write(model);
}

std::string generate_rsm(const Options& options, base::Random& random) {
  generate::RandomRsmOptions wanted;
  wanted.components = size("--components", options.components, 1);
  wanted.boxes = size("--boxes", options.boxes, 0);
  wanted.nodes = size("--nodes", options.nodes.value_or(wanted.nodes), 1);
  wanted.entries = options.entries;
  wanted.exits = options.exits;
  wanted.density = options.density;
  wanted.labels = labels(options);
  return written(options, generate::random_rsm(wanted, random));
}

std::string generate_program(const Options& options, base::Random& random) {
  generate::RandomProgramOptions wanted;
  wanted.nodes = size("--nodes", options.nodes.value_or(wanted.nodes), 1);
  wanted.labels = labels(options);
  return written(options, generate::random_program(wanted, random));
}

std::string generate_ctl(const Options& options, base::Random& random) {
  generate::RandomFormulaOptions wanted;
  wanted.quantifier_depth = size("--depth", options.depth, 0);
  wanted.width = size("--width", options.width, 0);
  wanted.negation = options.negation;
  wanted.propositions.clear();
  for (const std::string_view name : split(options.propositions)) {
    wanted.propositions.emplace_back(name);
  }
  std::string text;
  for (std::size_t i = size("--count", options.count, 1); i > 0; --i) {
    logic::FormulaPool pool;
    text += logic::to_string(pool, generate::random_formula(pool, wanted, random)) + '\n';
  }
  return text;
}

std::string generate_pds(const Options& options, base::Random& random) {
  generate::RandomPushdownOptions wanted;
  wanted.controls = size("--controls", options.controls, 1);
  wanted.symbols = size("--symbols", options.symbols, 1);
  wanted.pops = size("--pops", options.pops, 0);
  wanted.rewrites = size("--rewrites", options.rewrites, 0);
  wanted.pushes = size("--pushes", options.pushes, 0);
  wanted.labels = labels(options);
  size("--controls times --symbols", options.controls * options.symbols, 1);
  const model::PushdownSystem system = generate::random_pushdown(wanted, random);
  const bool named = !options.to.empty() || (!options.output.empty() && options.output != "-");
  if (named && format::find_format(options.to, options.output).id != "pds") {
    return written(options, format::to_rsm(system, "generated", model::DeadEnds::Keep));
  }
  return format::format_pds(system);
}

std::vector<std::string> propositions(const Options& options) {
  const format::FormatInfo& format = format::find_format(options.from, options.model);
  const logic::ReadModel read = format.read(base::Input::read(options.model), {.mentioned = true});
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

/// AG ((def__V | usedef__V) -> EF (use__V | usedef__V)): Dubslaff, Wienhöft, Fehnker 2024, 7.4.
std::string generate_usedef(const Options& options) {
  if (options.model.empty()) {
    refuse("MODEL is required");
  }
  std::string text;
  for (const std::string& variable : variables(propositions(options))) {
    logic::FormulaPool pool;
    const auto atom = [&](std::string_view prefix) {
      return pool.atom(fmt::format("{}{}", prefix, variable));
    };
    const logic::FormulaId both = atom("usedef__");
    const logic::FormulaId defined = pool.binary(logic::Op::Or, atom("def__"), both);
    const logic::FormulaId used = pool.binary(logic::Op::Or, atom("use__"), both);
    const logic::FormulaId formula = pool.unary(
        logic::Op::AG, pool.binary(logic::Op::Implies, defined, pool.unary(logic::Op::EF, used)));
    text += logic::to_string(pool, formula) + '\n';
  }
  return text;
}

std::string generate(const Options& options) {
  if (options.subject == "usedef") {
    return generate_usedef(options);
  }
  if (!options.model.empty()) {
    refuse(fmt::format("generate {} takes no model, found '{}'", options.subject, options.model));
  }
  base::Random random(options.seed);
  if (options.subject == "program" || (options.subject == "rsm" && options.program)) {
    return generate_program(options, random);
  }
  return options.subject == "rsm"   ? generate_rsm(options, random)
         : options.subject == "ctl" ? generate_ctl(options, random)
                                    : generate_pds(options, random);
}

}  // namespace

int run_generate(const Options& options, const Streams& streams) {
  const std::string text = generate(options);
  if (options.output.empty() || options.output == "-") {
    streams.out << text;
  } else {
    base::OutputFile file(options.output);
    file.write(text);
    file.commit();
  }
  return kAllHold;
}

}  // namespace nestor::driver
