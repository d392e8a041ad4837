// nestor check: read the formulas and the model, let an engine decide, report.

#include "base/input.h"
#include "base/limits.h"
#include "driver/atoms.h"
#include "driver/certify.h"
#include "driver/check_report.h"
#include "driver/commands.h"
#include "driver/load.h"
#include "driver/progress.h"
#include "driver/witnesses.h"
#include "engine/registry.h"
#include "format/formula_registry.h"
#include "logic/normal_form.h"
#include "logic/parser.h"
#include "model/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <ostream>
#include <thread>
#include <utility>

namespace nestor {

namespace {

constexpr std::size_t kMostUnknownNames = 5;

void refuse_stdin_twice(const Options& options) {
  const auto from_stdin =
      std::count(options.formula_files.begin(), options.formula_files.end(), "-") +
      (options.model == "-" ? 1 : 0);
  if (from_stdin > 1) {
    throw Error(Error::Kind::Usage, "only one input can be standard input, '-' is given twice");
  }
}

std::vector<NamedFormula> read_formulas(const Options& options, FormulaPool& pool) {
  std::vector<NamedFormula> formulas;
  const auto append = [&](std::vector<NamedFormula> more) {
    std::move(more.begin(), more.end(), std::back_inserter(formulas));
  };
  for (const std::string& file : options.formula_files) {
    append(find_formula_format(file).read(Input::read(file), pool));
  }
  for (std::size_t i = 0; i < options.formulas.size(); ++i) {
    append(parse_formula_file(
        pool, options.formulas[i],
        options.formulas.size() == 1 ? "<formula>" : fmt::format("<formula {}>", i + 1)));
  }
  return formulas;
}

[[noreturn]] void refuse_no_formula() {
  throw Error(Error::Kind::Usage, "no formula to check: give a formula file or -f FORMULA");
}

/// Most probably a slip of the pen: a proposition that no node carries is false everywhere.
void warn_of_unknown_propositions(const LoadedModel& loaded, const FormulaPool& pool,
                                  std::vector<std::string>& warnings) {
  const auto is_known = [&](std::string_view name) {
    return loaded.model.find_prop(name).valid() ||
           std::any_of(loaded.other_models.begin(), loaded.other_models.end(),
                       [&](const Rsm& model) { return model.find_prop(name).valid(); });
  };
  std::size_t count = 0;
  for (const FormulaId f : IdRange<FormulaId>(FormulaId(0), FormulaId(pool.size()))) {
    if (pool[f].op == Op::Atom && !is_known(pool.atom_name(f)) && ++count <= kMostUnknownNames) {
      warnings.push_back(fmt::format("no node carries the proposition '{}'", pool.atom_name(f)));
    }
  }
  if (count > kMostUnknownNames) {
    warnings.push_back(fmt::format("no node carries {} more of the propositions in the formulas",
                                   count - kMostUnknownNames));
  }
}

void warn_of_dead_ends(const Rsm& model, std::vector<std::string>& warnings) {
  const NodeCount dead = find_dead_ends(model);
  if (dead.count > 0) {
    warnings.push_back(fmt::format("{} dead end{} (paths end there), first: {}; see --dead-ends",
                                   dead.count, dead.count == 1 ? "" : "s",
                                   model.describe(dead.first)));
  }
}

void add_sizes(const LoadedModel& loaded, Statistics& statistics) {
  const Rsm& model = loaded.model;
  statistics.add("model.components", model.component_count());
  statistics.add("model.nodes", model.node_count());
  statistics.add("model.boxes", model.box_count());
  statistics.add("model.transitions", model.transition_count());
  statistics.add("model.propositions", model.prop_count());
  statistics.add("model.memory_bytes", model.memory_bytes());
  statistics.add("read.bytes", loaded.input_bytes);
  statistics.add_seconds("read.seconds", loaded.seconds);
}

Env make_env(const Options& options, Statistics& statistics) {
  Env env;
  env.limits = limits_of(options);
  env.jobs = options.jobs == 0 ? std::max(1U, std::thread::hardware_concurrency())
                               : static_cast<unsigned>(std::min<std::uint64_t>(options.jobs, 1024));
  env.seed = options.seed;
  env.statistics = &statistics;
  return env;
}

std::vector<Result> decide(Engine& engine, const LoadedModel& loaded, const Task& task,
                           const Options& options, const Streams& streams, Statistics& statistics) {
  const bool on_the_fly = loaded.states != nullptr && loaded.model.component_count() == 0;
  std::string reason = on_the_fly ? std::string() : engine.cannot_handle(task);
  const bool is_fair =
      task.is_fair() || (loaded.states != nullptr && loaded.states->mark_count() > 0);
  if (reason.empty() && is_fair && (on_the_fly || !engine.handles_fairness())) {
    reason = "this engine does not support fairness constraints";
  }
  if (!reason.empty()) {
    Result unknown;
    unknown.reason = reason;
    return std::vector<Result>(task.formulas.size(), unknown);
  }
  Progress progress(streams, task.formulas.size());
  Env env = make_env(options, statistics);
  env.progress = [&progress](std::size_t done) { progress.done(done); };
  if (on_the_fly) {
    return engine.check_on_the_fly(
        {*loaded.states, dead_ends_of(options), task.pool, task.formulas}, env);
  }
  return engine.check(task, env);
}

/// Properties of the model's file that are not supported get the verdict `unknown`.
std::vector<Result> decide_supported(Engine& engine, const LoadedModel& loaded,
                                     const std::vector<NamedFormula>& formulas, FormulaPool& pool,
                                     const Options& options, const Streams& streams,
                                     Statistics& statistics) {
  // A file may have several models; formulas that are not the file's speak of the first one.
  const auto model_of = [&](std::size_t i) {
    return i < loaded.properties.size() ? loaded.properties[i].model : 0;
  };
  std::vector<Result> results(formulas.size());
  for (std::size_t m = 0; m <= loaded.other_models.size(); ++m) {
    std::vector<FormulaId> normal_forms;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (formulas[i].formula.valid() && model_of(i) == m) {
        normal_forms.push_back(existential_normal_form(pool, formulas[i].formula));
        places.push_back(i);
      }
    }
    if (normal_forms.empty()) {
      continue;
    }
    const Rsm& model = m == 0 ? loaded.model : loaded.other_models[m - 1];
    std::vector<Result> decided =
        decide(engine, loaded, {model, pool, normal_forms, &loaded.fairness}, options, streams,
               statistics);
    NESTOR_CHECK(decided.size() == normal_forms.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      results[places[i]] = std::move(decided[i]);
    }
  }
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (!formulas[i].formula.valid()) {
      results[i].reason = loaded.properties[i].unsupported;
    }
  }
  return results;
}

/// Explores the states of a model that has to be explored. Why that was not possible, if a limit
/// was reached.
std::string explore_if_needed(const Engine& engine, LoadedModel& loaded, const FormulaPool& pool,
                              const Options& options, const Streams& streams, CheckReport& report) {
  if (loaded.states == nullptr) {
    return loaded.unexplored;
  }
  refuse_senseless_atoms(*loaded.states, pool, report.formulas);
  if (engine.works_on_the_fly() && !WitnessMaker(options).is_asked()) {
    return {};
  }
  try {
    explore_states(loaded, atoms_of(pool), options, streams, &report.statistics);
    return {};
  } catch (const LimitReached& limit) {
    release_free_memory();
    return limit.reason;
  } catch (const std::bad_alloc&) {
    release_free_memory();
    return "out of memory";
  }
}

/// The engine for finite models only if all models of the file are.
const EngineInfo& engine_for(const LoadedModel& loaded, const Options& options) {
  if (!options.engine.empty()) {
    return find_engine(options.engine);
  }
  for (const Rsm& model : loaded.other_models) {
    if (model.box_count() > 0) {
      return default_engine();
    }
  }
  return loaded.states != nullptr || loaded.model.box_count() == 0 ? finite_engine()
                                                                   : default_engine();
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
  if (!options.engine.empty()) {
    find_engine(options.engine);  // a mistake there is told at once
  }
  refuse_stdin_twice(options);
  if (options.json && options.mcc) {
    throw Error(Error::Kind::Usage, "--json and --mcc cannot be given together");
  }
  // Formulas first: they are small, and a mistake there is then told before a large model is read.
  CheckReport report;
  FormulaPool pool(atom_dialects());
  report.formulas = read_formulas(options, pool);
  const bool from_model = report.formulas.empty();
  if (from_model && !find_input_format(options.from, options.model).has_properties()) {
    refuse_no_formula();
  }
  const bool certify = !options.certificate.empty() || !options.certificate_dir.empty();
  LoadedModel loaded = load_model(options, from_model ? &pool : nullptr,
                                  certify ? Fingerprint::Take : Fingerprint::Leave);
  for (const ModelProperty& property : loaded.properties) {
    report.formulas.push_back(property.formula);
  }
  if (report.formulas.empty()) {
    refuse_no_formula();
  }
  Certifier certifier(options, streams, report.formulas.size());
  report.model = loaded.name;
  const EngineInfo& engine = engine_for(loaded, options);
  report.engine = engine.id;
  const std::unique_ptr<Engine> decider = engine.make();
  const std::string unexplored =
      explore_if_needed(*decider, loaded, pool, options, streams, report);
  add_sizes(loaded, report.statistics);
  report.warnings.insert(report.warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
  if (loaded.model.component_count() > 0) {
    warn_of_dead_ends(loaded.model, report.warnings);
    warn_of_unknown_propositions(loaded, pool, report.warnings);
  }
  print_warnings(report, 0, options, streams);

  const Stopwatch watch;
  if (unexplored.empty()) {
    report.results = decide_supported(*decider, loaded, report.formulas, pool, options, streams,
                                      report.statistics);
  } else {
    Result unknown;
    unknown.reason = unexplored;
    report.results.assign(report.formulas.size(), unknown);
  }
  NESTOR_CHECK(report.results.size() == report.formulas.size());
  report.statistics.add_seconds("check.seconds", watch.seconds());
  if (certify) {
    const Stopwatch certify_watch;
    const std::size_t warned = report.warnings.size();
    Env env = make_env(options, report.statistics);
    certifier.write(*decider, loaded, pool, env, report);
    report.statistics.add_seconds("certify.seconds", certify_watch.seconds());
    print_warnings(report, warned, options, streams);
  }
  WitnessMaker witnesses(options);
  if (witnesses.is_asked()) {
    const Stopwatch witness_watch;
    const std::size_t warned = report.warnings.size();
    Env env = make_env(options, report.statistics);
    witnesses.make(*decider, engine.id, loaded, pool, env, report);
    report.statistics.add_seconds("witness.seconds", witness_watch.seconds());
    print_warnings(report, warned, options, streams);
  }
  report.statistics.add("memory.peak_bytes", peak_resident_bytes());

  witnesses.write_files(report);
  streams.out << (options.json  ? verdict_json(report)
                  : options.mcc ? mcc_lines(report)
                                : verdict_lines(report));
  if (options.stats) {
    streams.err << statistics_lines(report.statistics);
  }
  return exit_status(report.results);
}

}  // namespace nestor
