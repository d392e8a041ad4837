// nestor label: where formulas and their parts hold.

#include "base/json_document.h"
#include "driver/commands.h"
#include "driver/label_report.h"
#include "driver/settings.h"

#include <fmt/format.h>

#include <nestor/check.h>
#include <nestor/version.h>
#include <ostream>

namespace nestor::driver {

NodeNames names_of(Model model) {
  NodeNames names;
  for (const Component& component : model.components()) {
    for (const Component::Node& node : component.nodes) {
      names[component.name].push_back(node.name);
    }
  }
  return names;
}

namespace {

/// A line an instance of a procedure: the nodes where the whole formula holds.
std::string label_lines(const Formula& formula, const Answer<Labelling>& found,
                        const NodeNames& names) {
  if (!found) {
    return fmt::format("{}\n  unknown ({})\n", formula.text(), found.reason);
  }
  std::string out = formula.text() + '\n';
  for (const Labelling::Instance& instance : found->instances()) {
    out += fmt::format("  {}:", instance.procedure);
    for (std::size_t i = 0; i < instance.rows; ++i) {
      if (found->value(found->size() - 1, instance.first_row + i)) {
        out += ' ' + names.at(instance.procedure)[i];
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace

void write_values(base::JsonWriter& json, const Labelling& labelling, const NodeNames& names) {
  json.begin_array("instances");
  for (const Labelling::Instance& instance : labelling.instances()) {
    json.line().begin_object().member("procedure", instance.procedure);
    json.member("first_row", instance.first_row).begin_array("nodes");
    for (std::size_t i = 0; i < instance.rows; ++i) {
      json.value(names.at(instance.procedure)[i]);
    }
    json.end_array().end_object();
  }
  json.end_array().begin_array("subformulas");
  for (std::size_t number = 0; number < labelling.size(); ++number) {
    json.line().begin_object().member("formula", labelling.subformula(number));
    json.begin_array("rows");
    for (std::size_t row = 0; row < labelling.rows(); ++row) {
      if (labelling.value(number, row)) {
        json.value(row);
      }
    }
    json.end_array().end_object();
  }
  json.end_array();
}

int run_label(const Options& options, const Streams& streams) {
  std::vector<Formula> formulas;
  for (const std::string& text : options.formulas) {
    formulas.push_back(Formula::parse(text));
  }
  ProgressLine line(streams);
  Settings settings = settings_of(options, &line);
  settings.dead_ends = settings.dead_ends.value_or(DeadEnds::Keep);
  Session session(Model::read(source_of(options), settings), settings);
  for (const Formula& formula : formulas) {
    session.ask(formula);
  }
  std::string out;
  base::JsonWriter json(out);
  if (options.json) {
    base::begin_document(json, "label", version()).member("model", session.model().name());
    json.line().begin_array("results");
  }
  int status = kAllHold;
  NodeNames names;
  for (std::size_t q = 0; q < formulas.size(); ++q) {
    const Answer<Labelling> found = session.labelling(q);
    if (!found) {
      status = kSomeUnknown;
    } else if (names.empty()) {
      names = names_of(session.model());
    }
    if (!options.json) {
      out += label_lines(formulas[q], found, names);
      continue;
    }
    json.line().begin_object().member("formula", formulas[q].text());
    if (found) {
      write_values(json, *found, names);
    } else {
      json.member("reason", found.reason);
    }
    json.end_object();
  }
  if (options.json) {
    json.end_array().end_object();
    out += '\n';
  }
  line.clear();
  streams.out << out;
  return status;
}

}  // namespace nestor::driver
