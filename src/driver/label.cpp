// nestor label: where formulas and their parts hold.

#include "base/json_document.h"
#include "driver/commands.h"
#include "driver/label_view.h"
#include "driver/settings.h"

#include <fmt/format.h>

#include <limits>
#include <nestor/check.h>
#include <nestor/version.h>
#include <ostream>

namespace nestor::driver {

namespace {

constexpr std::size_t kStatesForPeople = 100;

std::size_t most_states(const Options& options, const Model& model) {
  if (!model.is_given_by_states()) {
    return std::numeric_limits<std::size_t>::max();
  }
  return options.states.value_or(options.json ? std::numeric_limits<std::size_t>::max()
                                              : kStatesForPeople);
}

void write_instances(base::JsonWriter& json, const LabelView& view,
                     std::vector<std::size_t>& shown_rows) {
  json.begin_array("instances");
  for (const LabelView::Instance& instance : view.instances) {
    json.line().begin_object().member("procedure", instance.component->name);
    json.member("first_row", shown_rows.size()).begin_array("nodes");
    for (const LabelView::Row& row : instance.rows) {
      json.value(instance.name(row));
      shown_rows.push_back(row.row);
    }
    json.end_array().member("number", instance.number).begin_array("context");
    for (std::size_t number = 0; number < view.labelling.size(); ++number) {
      if (const auto exits = view.labelling.context(number, instance.number)) {
        json.begin_object().member("subformula", number).begin_array("exits");
        for (const std::string& exit : *exits) {
          json.value(exit);
        }
        json.end_array().end_object();
      }
    }
    json.end_array().begin_array("boxes");
    for (std::size_t b = 0; b < instance.component->boxes.size(); ++b) {
      json.begin_object().member("name", instance.component->boxes[b].name);
      json.member("instance", instance.callees[b]).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

void write_values(base::JsonWriter& json, const LabelView& view, bool with_trace) {
  std::vector<std::size_t> shown_rows;  // of the labelling, by the number they have here
  write_instances(json, view, shown_rows);
  json.begin_array("subformulas");
  for (std::size_t number = 0; number < view.labelling.size(); ++number) {
    json.line().begin_object().member("formula", view.labelling.subformula(number));
    json.begin_array("rows");
    for (std::size_t shown = 0; shown < shown_rows.size(); ++shown) {
      if (view.labelling.value(number, shown_rows[shown])) {
        json.value(shown);
      }
    }
    json.end_array();
    const auto steps = with_trace ? view.labelling.approximations(number) : std::nullopt;
    if (steps) {
      json.begin_object("approximations").member("grows", steps->grows).begin_array("changes");
      for (std::size_t x = 1; x <= steps->steps; ++x) {
        json.begin_array();
        for (std::size_t shown = 0; shown < shown_rows.size(); ++shown) {
          if (steps->changed[shown_rows[shown]] == x) {
            json.value(shown);
          }
        }
        json.end_array();
      }
      json.end_array().end_object();
    }
    json.end_object();
  }
  json.end_array();
  if (view.left_out > 0) {
    json.member("left_out", view.left_out);
  }
}

namespace {

void write_checks(base::JsonWriter& json, const CheckOrder& order) {
  json.line().begin_array("local_checks");
  for (const CheckOrder::Part& part : order.parts) {
    json.line().begin_object().member("formula", part.formula).member("pairs", part.pairs);
    json.member("rounds", part.rounds).begin_array("checks");
    for (const CheckOrder::Check& check : part.checks) {
      json.begin_object().member("procedure", check.procedure);
      json.member("context", check.context).member("round", check.round).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

/// One formula after the other, as the options want them.
class LabelReport {
 public:
  LabelReport(const Options& options, Session& session) : options_(options), session_(session) {
    if (options.json) {
      base::begin_document(json_, "label", version()).member("model", session.model().name());
      json_.line().begin_array("results");
    }
  }

  void add(std::size_t question) {
    const Formula& formula = session_.formula(question);
    const Answer<Labelling> found = session_.labelling(question);
    if (found && components_.empty()) {
      components_ = Model(session_.model()).components();
    }
    if (options_.json) {
      json_.line().begin_object().member("formula", formula.text());
    }
    if (!found) {
      refuse(formula, found.reason);
    } else {
      show(question, *found);
    }
    if (options_.json) {
      json_.end_object();
    }
  }

  std::string finish() {
    if (options_.json) {
      json_.end_array().end_object();
      out_ += '\n';
    }
    return std::move(out_);
  }
  int status() const { return status_; }

 private:
  void refuse(const Formula& formula, const std::string& reason) {
    status_ = kSomeUnknown;
    if (options_.json) {
      json_.member("reason", reason);
    } else if (options_.dot) {
      out_ += fmt::format("// {}: unknown ({})\n", formula.text(), reason);
    } else {
      out_ += fmt::format("{}\n  unknown ({})\n", formula.text(), reason);
    }
  }

  void show(std::size_t question, const Labelling& labelling) {
    const Formula& formula = session_.formula(question);
    const LabelView view =
        view_of(labelling, components_, options_, most_states(options_, session_.model()));
    if (options_.json) {
      write_values(json_, view, options_.trace);
    } else {
      out_ += options_.dot ? label_dot(formula, view) : label_table(formula, view);
    }
    if (!options_.trace) {
      return;
    }
    const std::string steps = options_.json ? std::string() : approximations_text(view);
    out_ += steps;
    const Answer<CheckOrder> order = session_.check_order(question);
    if (order && options_.json) {
      write_checks(json_, *order);
    } else if (order) {
      out_ += check_order_text(*order);
    } else if (!options_.json && steps.empty() && !is_finite()) {
      out_ += fmt::format("no steps to show ({})\n", order.reason);
      status_ = kSomeUnknown;
    }
  }

  bool is_finite() const {
    for (const Component& component : components_) {
      if (!component.boxes.empty()) {
        return false;
      }
    }
    return true;
  }

  const Options& options_;
  Session& session_;
  std::vector<Component> components_;
  std::string out_;
  base::JsonWriter json_{out_};
  int status_ = kAllHold;
};

}  // namespace

int run_label(const Options& options, const Streams& streams) {
  if (options.dot && (options.json || options.trace)) {
    throw Error(Error::Kind::Usage, "--dot draws a graph: neither --json nor --trace go with it");
  }
  if (!options.engine.empty()) {
    find_engine(options.engine);  // a mistake in its name is told at once
  }
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
  LabelReport report(options, session);
  for (std::size_t q = 0; q < formulas.size(); ++q) {
    report.add(q);
  }
  line.clear();
  streams.out << report.finish();
  return report.status();
}

}  // namespace nestor::driver
