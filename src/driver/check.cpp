// nestor check: read the formulas and the model, let a session decide, report.

#include "base/input.h"
#include "base/limits.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/evidence_files.h"
#include "driver/settings.h"
#include "format/formula_registry.h"
#include "format/pds/mu_calculus.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

namespace nestor::driver {

namespace {

void refuse_contradictions(const Options& options) {
  const auto from_stdin =
      std::count(options.formula_files.begin(), options.formula_files.end(), "-") +
      (options.model == "-" ? 1 : 0);
  if (from_stdin > 1) {
    refuse_stdin_twice("-", "-");
  }
  if (options.json && options.mcc) {
    throw base::Error(base::Error::Kind::Usage, "--json and --mcc cannot be given together");
  }
}

void ask_all(const Options& options, session::Session& session) {
  const auto ask = [&](std::vector<logic::NamedFormula> formulas) {
    for (logic::NamedFormula& formula : formulas) {
      session.ask(std::move(formula));
    }
  };
  for (const std::string& file : options.formula_files) {
    ask(format::find_formula_format(file).read(base::Input::read(file), session.pool()));
  }
  for (std::size_t i = 0; i < options.formulas.size(); ++i) {
    ask(logic::parse_formula_file(
        session.pool(), options.formulas[i],
        options.formulas.size() == 1 ? "<formula>" : fmt::format("<formula {}>", i + 1)));
  }
  for (std::size_t i = 0; i < options.mu_formulas.size(); ++i) {
    const std::string& text = options.mu_formulas[i];
    const base::Input input = base::Input::from_text(
        options.mu_formulas.size() == 1 ? "<mu>" : fmt::format("<mu {}>", i + 1), text);
    logic::ModelProperty property =
        format::translate_mu_property(input, input.text(), session.pool());
    property.formula.name.clear();
    if (property.mu == nullptr) {
      session.ask(std::move(property.formula));
    } else {
      session.ask(std::move(property.formula), std::move(property.mu));
    }
  }
}

[[noreturn]] void refuse_no_formula() {
  throw base::Error(base::Error::Kind::Usage,
                    "no formula to check: give a formula file, -f FORMULA or --mu=FORMULA");
}

void add_sizes(session::Session& session) {
  const session::Subject& subject = session.subject();
  const bool has_machine = subject.has_machine();
  const model::Rsm none;
  const model::Rsm& model = has_machine ? subject.machine() : none;
  base::Statistics& statistics = session.statistics();
  statistics.add("model.components", model.component_count());
  statistics.add("model.nodes", model.node_count());
  statistics.add("model.boxes", model.box_count());
  statistics.add("model.transitions", model.transition_count());
  statistics.add("model.propositions", model.prop_count());
  statistics.add("model.memory_bytes", model.memory_bytes());
  statistics.add("read.bytes", subject.input_bytes());
  statistics.add_seconds("read.seconds", subject.read_seconds());
}

/// In JSON the warnings are part of the report.
void print_warnings(const CheckReport& report, std::size_t from, const Options& options,
                    const Streams& streams) {
  for (std::size_t i = from; i < report.warnings.size() && !options.json; ++i) {
    streams.err << fmt::format("{}: warning: {}\n", report.model, report.warnings[i]);
  }
}

}  // namespace

int run_check(const Options& options, const Streams& streams) {
  EvidenceFiles evidence(options);
  ProgressLine line(streams);
  session::Settings settings = settings_of(options, &line);
  settings.wants_evidence = evidence.wants_witnesses();
  session::Session session(std::move(settings));  // a mistake in the engine's name is told at once
  refuse_contradictions(options);
  // Formulas first: they are small, and a mistake there is then told before a large model is read.
  ask_all(options, session);
  const bool from_model = session.question_count() == 0;
  if (from_model && !format::find_format(options.from, options.model).has_properties) {
    refuse_no_formula();
  }
  session::ModelSource source = source_of(options);
  source.fingerprint = evidence.wants_certificates();
  session.about(
      session::Subject::read(source, session.settings(), from_model ? &session.pool() : nullptr));
  if (session.question_count() == 0) {
    refuse_no_formula();
  }
  evidence.open(session.question_count());

  CheckReport report;
  report.model = session.subject().name();
  report.engine = session.engine().id;
  report.warnings = session.warnings();
  add_sizes(session);
  line.clear();
  print_warnings(report, 0, options, streams);

  const base::Stopwatch watch;
  for (std::size_t q = 0; q < session.question_count(); ++q) {
    report.formulas.push_back(session.formula(q));
    report.results.push_back(session.verdict(q));
  }
  session.statistics().add_seconds("check.seconds", watch.seconds());
  const std::size_t warned = report.warnings.size();
  std::ranges::move(session.later_warnings(), std::back_inserter(report.warnings));
  evidence.make(session, report);
  session.statistics().add("memory.peak_bytes", base::peak_resident_bytes());
  report.statistics = &session.statistics();
  line.clear();
  print_warnings(report, warned, options, streams);

  evidence.write_witnesses(report);
  streams.out << (options.json  ? verdict_json(report)
                  : options.mcc ? mcc_lines(report)
                                : verdict_lines(report));
  if (options.stats) {
    streams.err << statistics_lines(session.statistics());
  }
  return exit_status(report.results);
}

}  // namespace nestor::driver
