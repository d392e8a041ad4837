// nestor check: read the formulas and the model, let a session decide, report.

#include "base/limits.h"
#include "base/statistics.h"
#include "driver/check_part.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/evidence_files.h"
#include "driver/output.h"
#include "driver/settings.h"
#include "driver/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nestor/check.h>
#include <optional>
#include <ostream>
#include <utility>

namespace nestor::driver {

namespace {

/// With --json-lines: how many formulas are decided together, at most. Few at first, so that the
/// first line comes soon.
constexpr std::size_t kMostTogether = 64;

void refuse_contradictions(const Options& options) {
  const auto from_stdin =
      std::count(options.formula_files.begin(), options.formula_files.end(), "-") +
      (options.model == "-" ? 1 : 0);
  if (from_stdin > 1) {
    refuse_stdin_twice("-", "-");
  }
  const auto both = [](const char* one, const char* other) {
    throw Error(Error::Kind::Usage, fmt::format("{} and {} cannot be given together", one, other));
  };
  if (options.json && options.mcc) {
    both("--json", "--mcc");
  }
  if (options.json_lines && (options.json || options.mcc)) {
    both("--json-lines", options.json ? "--json" : "--mcc");
  }
  if (options.json_lines && !options.output.empty()) {
    both("--json-lines", "--output");
  }
}

[[noreturn]] void refuse_no_formula() {
  throw Error(Error::Kind::Usage,
              "no formula to check: give a formula file, -f FORMULA or --mu=FORMULA");
}

void add_sizes(Model model, Statistics& statistics) {
  const ModelInfo sizes = model.sizes();
  statistics.counters["model.components"] += sizes.components;
  statistics.counters["model.nodes"] += sizes.nodes;
  statistics.counters["model.boxes"] += sizes.boxes;
  statistics.counters["model.transitions"] += sizes.transitions;
  statistics.counters["model.propositions"] += sizes.propositions;
  statistics.counters["model.memory_bytes"] += sizes.memory_bytes;
  statistics.counters["read.bytes"] += sizes.read_bytes;
  statistics.seconds["read.seconds"] += sizes.read_seconds;
}

/// In JSON the warnings are part of the report.
void print_warnings(const CheckReport& report, std::size_t from, const Options& options,
                    const Streams& streams) {
  for (std::size_t i = from; i < report.warnings.size() && !options.json && !options.json_lines;
       ++i) {
    streams.err << fmt::format("{}: warning: {}\n", report.model, report.warnings[i]);
  }
}

/// Asks the formulas and reports on them. With --json-lines they are asked a few at a time, and
/// each is told as soon as it is decided.
class Checking {
 public:
  Checking(const Options& options, const Streams& streams, std::vector<Formula> formulas,
           Session session, EvidenceFiles& evidence, ProgressLine& line)
      : options_(options),
        streams_(streams),
        formulas_(std::move(formulas)),
        session_(std::move(session)),
        evidence_(evidence),
        line_(line) {}

  /// With a shard these are its formulas, and `part` is written.
  void make_part(Part part, std::vector<std::size_t> positions) {
    part_ = std::move(part);
    positions_ = std::move(positions);
  }

  int run() {
    ask(options_.json_lines ? 1 : formulas_.size());
    report_.model = session_.model().name();
    report_.engine = session_.engine();
    report_.warnings = part_ ? part_->warnings : session_.warnings();
    report_.reproducible = options_.reproducible || part_;
    Statistics sizes;
    add_sizes(session_.model(), sizes);
    line_.clear();
    print_warnings(report_, 0, options_, streams_);
    const std::size_t warned = report_.warnings.size();
    for (std::size_t together = 2; decide(); together *= 2) {
      ask(std::min(together, kMostTogether));
    }
    if (!report_.reproducible) {  // how far the model is explored depends on what else is asked
      std::ranges::move(session_.later_warnings(), std::back_inserter(report_.warnings));
    }
    if (part_) {
      return write_part();
    }
    Statistics statistics = session_.statistics();
    statistics.counters.insert(sizes.counters.begin(), sizes.counters.end());
    statistics.seconds.insert(sizes.seconds.begin(), sizes.seconds.end());
    statistics.seconds["check.seconds"] += seconds_;
    evidence_.finish(report_, statistics);
    statistics.counters["memory.peak_bytes"] += base::peak_resident_bytes();
    report_.statistics = &statistics;
    line_.clear();
    print_warnings(report_, warned, options_, streams_);
    evidence_.write_witnesses(report_, session_.model());
    write_output(options_.output,
                 options_.json         ? verdict_json(report_)
                 : options_.json_lines ? end_line(report_)
                 : options_.mcc        ? mcc_lines(report_)
                                       : verdict_lines(report_),
                 streams_);
    if (options_.stats) {
      streams_.err << statistics_lines(statistics);
    }
    return exit_status(report_.results);
  }

 private:
  void ask(std::size_t count) {
    for (; count > 0 && session_.question_count() < formulas_.size(); --count) {
      session_.ask(formulas_[session_.question_count()]);
    }
  }

  /// What has been asked. True if there is more to ask.
  bool decide() {
    const base::Stopwatch watch;
    const std::size_t first = report_.results.size();
    for (std::size_t q = first; q < session_.question_count(); ++q) {
      const Formula& formula = session_.formula(q);
      report_.formulas.push_back({formula.name(), formula.text()});
      report_.results.push_back(session_.verdict(q));
    }
    seconds_ += watch.seconds();
    for (std::size_t q = first; q < session_.question_count(); ++q) {
      evidence_.make(session_, q, report_);
      if (options_.json_lines) {
        line_.clear();
        streams_.out << result_line(report_, q) << std::flush;
      }
    }
    return session_.question_count() < formulas_.size();
  }

  int write_part() {
    line_.clear();
    part_->subject = report_.model;
    part_->format = options_.json ? "json" : options_.mcc ? "mcc" : "text";
    add_results(*part_, report_, positions_);
    write_output(options_.output, part_->json(), streams_);
    return kAllHold;
  }

  const Options& options_;
  const Streams& streams_;
  std::vector<Formula> formulas_;
  Session session_;
  EvidenceFiles& evidence_;
  ProgressLine& line_;
  CheckReport report_;
  std::optional<Part> part_;
  std::vector<std::size_t> positions_;  // of the shard's formulas among all
  double seconds_ = 0;
};

/// The shard's formulas stay; where they stood among all.
std::vector<std::size_t> take_share(std::vector<Formula>& formulas, const Shard& shard) {
  std::vector<std::size_t> positions = shared_formulas(formulas, shard);
  std::vector<Formula> mine;
  for (const std::size_t position : positions) {
    mine.push_back(formulas[position]);
  }
  formulas = std::move(mine);
  return positions;
}

}  // namespace

int run_check(const Options& options, const Streams& streams) {
  EvidenceFiles evidence(options);
  ProgressLine line(streams);
  Settings settings = settings_of(options, &line);
  settings.wants_evidence = evidence.wants_witnesses();
  if (!settings.engine.empty()) {
    find_engine(settings.engine);  // a mistake in its name is told at once
  }
  refuse_contradictions(options);
  const std::optional<Shard> shard = shard_of(options);
  // Formulas first: they are small, and a mistake there is then told before a large model is read.
  std::vector<Formula> formulas = formulas_of(options);
  const bool from_model = formulas.empty();
  if (from_model && !find_format(options.from, options.model).has_properties) {
    refuse_no_formula();
  }
  ModelSource source = source_of(options);
  source.fingerprint = evidence.wants_certificates();
  source.properties = from_model;
  Model model = Model::read(source, settings);
  if (from_model) {
    formulas = model.properties();
  }
  if (formulas.empty()) {
    refuse_no_formula();
  }
  Session session(model, std::move(settings));
  std::vector<std::string> warnings;
  if (options.json_lines || shard) {  // which do not ask all together
    Session all(model, session.settings());
    for (const Formula& formula : formulas) {
      all.ask(formula);  // refuses atoms that make no sense in the model
    }
    warnings = shard ? all.warnings() : warnings;
  }
  std::vector<std::size_t> positions;
  if (shard) {
    positions = take_share(formulas, *shard);
  }
  evidence.open(formulas.size());
  Checking checking(options, streams, std::move(formulas), std::move(session), evidence, line);
  if (shard) {
    Part part = begin_part("check", options, *shard);
    part.warnings = std::move(warnings);
    checking.make_part(std::move(part), std::move(positions));
  }
  return checking.run();
}

}  // namespace nestor::driver
