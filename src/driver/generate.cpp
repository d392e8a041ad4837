// nestor generate: random models and formulas, and the use-def formulas of a model.

#include "driver/commands.h"
#include "driver/output.h"

#include <fmt/format.h>

#include <charconv>
#include <nestor/generate.h>

namespace nestor::driver {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Error::Kind::Usage, message);
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
std::vector<LabelShare> labels(const Options& options) {
  std::vector<LabelShare> result;
  for (const std::string_view part : split(options.labels)) {
    const std::size_t colon = part.rfind(':');
    LabelShare label;
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

std::string written(const Options& options, Model model) {
  const Format format = find_format(options.to, options.output.empty() ? "-" : options.output);
  return model.write(format.id);
}

std::string generate_rsm(const Options& options) {
  RandomRsmOptions wanted;
  wanted.components = options.components;
  wanted.boxes = options.boxes;
  wanted.nodes = options.nodes.value_or(wanted.nodes);
  wanted.entries = options.entries;
  wanted.exits = options.exits;
  wanted.density = options.density;
  wanted.labels = labels(options);
  return written(options, random_rsm(wanted, options.seed));
}

std::string generate_program(const Options& options) {
  RandomProgramOptions wanted;
  wanted.nodes = options.nodes.value_or(wanted.nodes);
  wanted.labels = labels(options);
  return written(options, random_program(wanted, options.seed));
}

std::string lines_of(const std::vector<Formula>& formulas) {
  std::string text;
  for (const Formula& formula : formulas) {
    text += formula.to_string() + '\n';
  }
  return text;
}

std::string generate_ctl(const Options& options) {
  RandomFormulaOptions wanted;
  wanted.quantifier_depth = options.depth;
  wanted.width = options.width;
  wanted.negation = options.negation;
  wanted.propositions.clear();
  for (const std::string_view name : split(options.propositions)) {
    wanted.propositions.emplace_back(name);
  }
  return lines_of(random_formulas(options.count, wanted, options.seed));
}

std::string generate_pds(const Options& options) {
  RandomPushdownOptions wanted;
  wanted.controls = options.controls;
  wanted.symbols = options.symbols;
  wanted.pops = options.pops;
  wanted.rewrites = options.rewrites;
  wanted.pushes = options.pushes;
  wanted.labels = labels(options);
  const std::string text = random_pushdown(wanted, options.seed);
  const bool named = !options.to.empty() || (!options.output.empty() && options.output != "-");
  return named && find_format(options.to, options.output).id != "pds"
             ? written(options, Model::parse(text, "pds", "generated"))
             : text;
}

std::string generate(const Options& options) {
  if (options.subject == "usedef") {
    if (options.model.empty()) {
      refuse("MODEL is required");
    }
    return lines_of(use_def_formulas({.path = options.model, .format = options.from}));
  }
  if (!options.model.empty()) {
    refuse(fmt::format("generate {} takes no model, found '{}'", options.subject, options.model));
  }
  if (options.subject == "program" || (options.subject == "rsm" && options.program)) {
    return generate_program(options);
  }
  return options.subject == "rsm"   ? generate_rsm(options)
         : options.subject == "ctl" ? generate_ctl(options)
                                    : generate_pds(options);
}

}  // namespace

int run_generate(const Options& options, const Streams& streams) {
  write_output(options.output, generate(options), streams);
  return kAllHold;
}

}  // namespace nestor::driver
