// nestor replay: read the model, a formula and a witness, believe nothing.

#include "check/replay.h"

#include "base/input.h"
#include "check/bind.h"
#include "driver/atoms.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "engine/registry.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <thread>

namespace nestor {

namespace {

constexpr std::size_t kSmall = 2000;  // nodes that `reference` is asked about

/// What no path can show is asked from `reference` where the model is small, else from engines
/// other than the one that made the witness, one after the other until one knows.
class EngineDecider final : public Decider {
 public:
  EngineDecider(const Options& options, std::string_view maker)
      : options_(options), maker_(maker) {}

  std::vector<Decision> decide(const Rsm& model, const FormulaPool& pool,
                               std::span<const FormulaId> formulas) override {
    std::vector<Decision> decisions(formulas.size());
    for (Decision& decision : decisions) {
      decision.reason = "no engine but the one that made the witness can decide it";
    }
    for (const EngineInfo* engine : engines(model)) {
      ask(*engine, Task{model, pool, formulas}, decisions);
    }
    return decisions;
  }

 private:
  /// Engines whose names begin alike are one algorithm in several ways.
  static std::string_view family(std::string_view id) { return id.substr(0, id.find('-')); }

  std::vector<const EngineInfo*> engines(const Rsm& model) const {
    if (!options_.engine.empty()) {
      return {&find_engine(options_.engine)};
    }
    std::vector<const EngineInfo*> found;
    if (model.node_count() <= kSmall) {
      found.push_back(&find_engine("reference"));
    }
    for (const EngineInfo& engine : engine_registry()) {
      if (engine.id != "reference" && family(engine.id) != family(maker_)) {
        found.push_back(&engine);
      }
    }
    return found;
  }

  void ask(const EngineInfo& info, const Task& task, std::vector<Decision>& decisions) const {
    const bool all_known = std::all_of(decisions.begin(), decisions.end(), [](const Decision& d) {
      return d.answer != Decision::Answer::Unknown;
    });
    const std::unique_ptr<Engine> engine = info.make();
    if (all_known || !engine->cannot_handle(task).empty()) {
      return;
    }
    Env env;
    env.limits = limits_of(options_);
    env.jobs = std::max(1U, std::thread::hardware_concurrency());
    Statistics statistics;
    env.statistics = &statistics;
    const std::vector<Result> results = engine->check(task, env);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].verdict != Verdict::Unknown) {
        decisions[i].answer = results[i].verdict == Verdict::Holds ? Decision::Answer::Holds
                                                                   : Decision::Answer::Fails;
      } else {
        decisions[i].reason = results[i].reason;
      }
    }
  }

  const Options& options_;
  std::string maker_;
};

/// The witness for the formula, or the only one.
Replay replay_one(const std::vector<WitnessDocument>& documents, const LoadedModel& loaded,
                  FormulaPool& pool, FormulaId formula, const Options& options, bool& holds) {
  Replay result{Replay::Outcome::Rejected, "there is no witness in the file"};
  for (const WitnessDocument& document : documents) {
    const BoundWitness bound = bind_witness(document, loaded.model, pool);
    if (!bound.fault.empty()) {
      result.reason = bound.fault;
      if (parse_formula(pool, document.formula, document.formula_at) == formula) {
        break;
      }
      continue;
    }
    EngineDecider decider(options, bound.witness.engine);
    holds = bound.witness.holds;
    result = replay(loaded.model, pool, formula, bound.witness, &decider, &loaded.fairness);
    if (bound.witness.formula == formula) {
      break;
    }
  }
  return result;
}

}  // namespace

int run_replay(const Options& options, const Streams& streams) {
  if (options.model == "-" && options.witness == "-") {
    throw Error(Error::Kind::Usage, "only one input can be standard input, '-' is given twice");
  }
  if (!options.engine.empty()) {
    find_engine(options.engine);
  }
  FormulaPool pool;
  const FormulaId formula = parse_formula(pool, options.formula, {"<formula>", 1, 1});
  const Input input = Input::read(options.witness);
  const std::vector<WitnessDocument> documents = read_witnesses(input);
  LoadedModel loaded = load_model(options);
  if (loaded.states != nullptr) {
    const std::vector<NamedFormula> named = {{formula, "", options.formula, {"<formula>", 1, 1}}};
    refuse_senseless_atoms(*loaded.states, pool, named);
    explore_or_refuse(loaded, atoms_of(pool), options, streams);
  }
  bool holds = false;
  const Replay result = replay_one(documents, loaded, pool, formula, options, holds);
  switch (result.outcome) {
    case Replay::Outcome::Accepted:
      streams.out << (holds ? "accepted: holds\n" : "accepted: fails\n");
      return kAllHold;
    case Replay::Outcome::Unknown:
      streams.out << fmt::format("unknown: {}\n", result.reason);
      return kSomeUnknown;
    case Replay::Outcome::Rejected:
      break;
  }
  streams.err << fmt::format("{}: rejected: {}\n", input.name(), result.reason);
  return kRefused;
}

}  // namespace nestor
