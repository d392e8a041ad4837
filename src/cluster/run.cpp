#include "cluster/run.h"

#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "cluster/answers.h"
#include "cluster/communicator.h"
#include "cluster/last_words.h"
#include "cluster/options.h"
#include "cluster/state_check.h"
#include "driver/check_report.h"
#include "driver/command_line.h"
#include "driver/settings.h"
#include "session/atoms.h"
#include "session/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <ostream>
#include <utility>

namespace nestor::cluster {

namespace {

void refuse_what_is_for_one(const driver::Options& options) {
  const auto refuse = [](const char* option) {
    throw Error(Error::Kind::Usage,
                fmt::format("{} is for 'nestor check', not for 'nestor-mpi check'", option));
  };
  if (!options.certificate.empty() || !options.certificate_dir.empty()) {
    refuse("--certificate");
  }
  if (!options.witness_dot.empty()) {
    refuse("--witness-dot");
  }
  if (!options.html.empty()) {
    refuse("--html");
  }
  if (options.json_lines) {
    refuse("--json-lines");
  }
  if (!options.shard.empty()) {
    refuse("--shard");
  }
  if (options.model == "-" ||
      std::ranges::find(options.formula_files, "-") != options.formula_files.end()) {
    throw Error(Error::Kind::Usage,
                "every process reads the files, so none of them can be standard input");
  }
  if (options.json && options.mcc) {
    throw Error(Error::Kind::Usage, "--json and --mcc cannot be given together");
  }
}

/// One run of `nestor-mpi check`.
class Check {
 public:
  Check(Communicator& communicator, const driver::Options& options, const ClusterOptions& more,
        const driver::Streams& streams)
      : communicator_(communicator),
        options_(options),
        more_(more),
        streams_(streams),
        line_(streams),
        settings_(driver::settings_of(options, communicator.is_first() ? &line_ : nullptr)) {}

  ~Check() { forget_last_words(); }
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  int run() {
    try {
      communicator_.agree([&] { read(); });
    } catch (const base::LimitReached& limit) {  // there are no formulas to say it of
      throw Error(Error::Kind::System, fmt::format("cannot read the model: {}", limit.reason));
    }
    prepare_report();
    if (states() != nullptr) {
      decide_states();
    } else {
      communicator_.agree([&] {
        if (!more_.checkpoint.empty()) {
          throw Error(
              Error::Kind::Usage,
              "--checkpoint is for models whose states are explored, this one is read whole");
        }
      });
      std::vector<std::size_t> all(formulas_.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = i;
      }
      decide_shared(all);
      warnings_of_machine();
    }
    return communicator_.is_first() ? report() : driver::kAllHold;
  }

 private:
  model::SuccessorFunction* states() const { return ModelAccess::subject(*model_)->states(); }
  WitnessWish wish() const {
    const bool text = options_.witness == "-" && !options_.json;
    return {text, !text && !options_.witness.empty(), options_.whole_states};
  }

  void read() {
    refuse_what_is_for_one(options_);
    if (!settings_.engine.empty()) {
      find_engine(settings_.engine);
    }
    settings_.wants_evidence = wish().any();
    formulas_ = driver::formulas_of(options_);
    const bool from_model = formulas_.empty();
    if (from_model && !find_format(options_.from, options_.model).has_properties) {
      throw Error(Error::Kind::Usage, "no formula to check: give a formula file or -f FORMULA");
    }
    ModelSource source = driver::source_of(options_);
    source.properties = from_model;
    model_ = Model::read(source, settings_);
    if (from_model) {
      formulas_ = model_->properties();
    }
    if (formulas_.empty()) {
      throw Error(Error::Kind::Usage, "no formula to check: give a formula file or -f FORMULA");
    }
    if (states() != nullptr && !settings_.engine.empty() && settings_.engine != "labelling") {
      throw Error(Error::Kind::Usage,
                  fmt::format("the states of this model are labelled by all processes together; "
                              "'--engine={}' is for 'nestor check'",
                              settings_.engine));
    }
    FormulaAccess::Known known;
    for (const Formula& formula : formulas_) {
      properties_.push_back(FormulaAccess::into(pool_, formula, known));
      if (states() != nullptr && properties_.back().mu == nullptr) {
        session::refuse_senseless_atoms(*states(), pool_, properties_.back().formula);
      }
    }
  }

  /// What is said if another process ends before its time: nothing is known.
  void prepare_report() {
    report_.model = model_->name();
    report_.engine = states() != nullptr ? "labelling" : "";
    for (const Formula& formula : formulas_) {
      report_.formulas.push_back({formula.name(), formula.text()});
      Result unknown;
      unknown.reason = "a process of the run has ended or does not answer";
      report_.results.push_back(unknown);
    }
    report_.witnesses.resize(wish().any() ? formulas_.size() : 0);
    if (communicator_.shared_word() != nullptr) {
      Statistics none;
      report_.statistics = &none;
      keep_last_words(text(), communicator_.shared_word());
      report_.statistics = nullptr;
    }
  }

  std::string text() const {
    return options_.json  ? driver::verdict_json(report_)
           : options_.mcc ? driver::mcc_lines(report_)
                          : driver::verdict_lines(report_);
  }

  void decide_states() {
    std::vector<StateQuestion> questions;
    std::vector<std::size_t> numbers;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < formulas_.size(); ++i) {
      const logic::ModelProperty& property = properties_[i];
      if (property.formula.formula.valid() && property.mu == nullptr && !property.distance &&
          pool_.is_ctl(property.formula.formula) &&
          !session::has_atoms_of_steps(*states(), pool_, property.formula.formula)) {
        numbers.push_back(i);
        questions.push_back(
            {property.formula.formula, property.all_paths,
             FormulaAccess::is_property(formulas_[i]) ? std::string() : formulas_[i].text()});
      } else {
        others.push_back(i);
      }
    }
    if (!questions.empty()) {
      StateCheck check(communicator_, *ModelAccess::subject(*model_), pool_, settings_, more_,
                       fingerprint());
      const std::vector<FormulaAnswer> answers = check.run(questions, wish());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        take(numbers[i], answers[i]);
      }
      report_.warnings = model_->warnings();
      report_.warnings.insert(report_.warnings.end(), check.warnings().begin(),
                              check.warnings().end());
      statistics_ = {check.statistics().counters(), check.statistics().seconds()};
    }
    std::ranges::move(
        session::warnings_of_unknown(session::atoms_of(pool_),
                                     [&](const std::string& name) {
                                       return states()->find_proposition(name).number ||
                                              session::is_of_steps(*states(), name);
                                     }),
        std::back_inserter(report_.warnings));
    // Numbers, formulas beyond CTL or about steps, and what is not supported: each process has the
    // whole model.
    if (!others.empty()) {
      try {
        communicator_.agree([&] { model_ = Model::read(driver::source_of(options_), settings_); });
        decide_shared(others);
      } catch (const base::LimitReached& limit) {
        for (const std::size_t formula : others) {
          report_.results[formula].reason = limit.reason;
        }
      }
    }
  }

  void decide_shared(const std::vector<std::size_t>& numbers) {
    const std::vector<FormulaAnswer> answers =
        share_out(communicator_, *model_, settings_, formulas_, numbers, wish());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      take(numbers[i], answers[i]);
    }
    statistics_.counters["cluster.processes"] = static_cast<std::uint64_t>(communicator_.size());
  }

  void take(std::size_t formula, const FormulaAnswer& answer) {
    report_.results[formula] = answer.result;
    if (wish().any()) {
      report_.witnesses[formula] = answer.witness;
      if (!answer.without_witness.empty()) {
        without_witness_.push_back(
            fmt::format("no witness for formula {}: {}", formula + 1, answer.without_witness));
      }
    }
  }

  void warnings_of_machine() {
    if (communicator_.is_first()) {
      Session session(*model_, settings_);
      for (const Formula& formula : formulas_) {
        session.ask(formula);
      }
      report_.engine = session.engine();
      report_.warnings = session.warnings();
    }
  }

  /// What a checkpoint is of: the file, and what dead ends mean.
  std::string fingerprint() const {
    if (more_.checkpoint.empty()) {
      return {};
    }
    base::Sha256 hash;
    hash.add(base::Input::read(options_.model).text());
    hash.add(fmt::format("\n{} {}", options_.from,
                         static_cast<int>(ModelAccess::subject(*model_)->dead_ends())));
    return hash.hex();
  }

  int report() {
    if (!take_last_words_back()) {
      return driver::kSomeUnknown;  // which has been said already
    }
    line_.clear();
    report_.warnings.insert(report_.warnings.end(), without_witness_.begin(),
                            without_witness_.end());
    statistics_.counters["memory.peak_bytes"] = base::peak_resident_bytes();
    const ModelInfo sizes = model_->sizes();
    statistics_.counters["read.bytes"] = sizes.read_bytes;
    statistics_.seconds["read.seconds"] = sizes.read_seconds;
    report_.statistics = &statistics_;
    if (!options_.json) {
      for (const std::string& warning : report_.warnings) {
        streams_.err << fmt::format("{}: warning: {}\n", report_.model, warning);
      }
    }
    if (!options_.witness.empty() && options_.witness != "-") {
      base::OutputFile file(options_.witness);
      file.write(driver::verdict_json(report_));
      file.commit();
    }
    streams_.out << text();
    if (options_.stats) {
      streams_.err << driver::statistics_lines(statistics_);
    }
    return driver::exit_status(report_.results);
  }

  Communicator& communicator_;
  const driver::Options& options_;
  const ClusterOptions& more_;
  const driver::Streams& streams_;
  driver::ProgressLine line_;
  Settings settings_;
  logic::FormulaPool pool_{format::atom_dialects()};
  std::vector<Formula> formulas_;
  std::vector<logic::ModelProperty> properties_;
  std::optional<Model> model_;
  driver::CheckReport report_;
  Statistics statistics_;
  std::vector<std::string> without_witness_;
};

int run_command(Communicator& communicator, std::vector<std::string> arguments,
                const driver::Streams& streams) {
  ClusterOptions more;
  driver::CommandLine line;
  communicator.agree([&] {
    more = take_options(arguments);
    if (!arguments.empty() && arguments.front() == "--help") {
      return;
    }
    line = driver::parse_command_line(arguments);
    if (line.command != nullptr && line.command->name != "check") {
      throw Error(Error::Kind::Usage, fmt::format("'nestor-mpi' has one command, 'check'; '{}' is "
                                                  "for 'nestor'",
                                                  line.command->name));
    }
  });
  communicator.set_silence(more.silence);
  int status = driver::kAllHold;
  if (line.command != nullptr) {
    status = Check(communicator, line.options, more, streams).run();
  } else if (communicator.is_first()) {
    streams.out << (line.text.empty() ? help_text() : line.text);
  }
  if (communicator.is_first() && !streams.out.flush()) {
    throw Error(Error::Kind::System, "cannot write standard output");
  }
  return status;
}

}  // namespace

int run(Communicator& communicator, std::vector<std::string> arguments,
        const driver::Streams& streams) {
  communicator.on_silence(say_last_words);
  const auto end_all = [&](const char* what) {
    streams.err << fmt::format("nestor-mpi: process {}: internal error: {}\n", communicator.rank(),
                               what)
                << std::flush;
    say_last_words();
    communicator.abort(driver::kInternalError);
  };
  try {
    return run_command(communicator, std::move(arguments), streams);
  } catch (const Error& error) {  // the same in all processes
    if (communicator.is_first()) {
      streams.err << error.what() << '\n';
      if (error.kind() == Error::Kind::Usage) {
        streams.err << "'nestor-mpi --help' tells what there is\n";
      }
    }
    return driver::kBadUsageOrInput;
  } catch (const std::bad_alloc&) {
    end_all("out of memory");
  } catch (const std::exception& error) {
    end_all(error.what());
  } catch (...) {
    end_all("an exception of unknown type");
  }
  return driver::kInternalError;
}

}  // namespace nestor::cluster
