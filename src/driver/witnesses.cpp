#include "driver/witnesses.h"

#include "base/error.h"
#include "base/input.h"
#include "check/replay.h"
#include "engine/registry.h"
#include "explain/extract.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "witness/witness_dot.h"
#include "witness/witness_text.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <new>

namespace nestor {

namespace {

/// Evidence of the engine itself, or else read off the values.
Witness find_witness(Engine& engine, std::string_view engine_id, const ExplainTask& task,
                     Env& env) {
  const Rsm& model = task.model;
  FormulaPool& pool = task.pool;
  const FormulaId formula = task.formula;
  const bool is_fair = task.fairness != nullptr && task.fairness->constraints > 0;
  if (!is_fair) {
    if (std::optional<Witness> simple = witness_without_values(model, pool, formula, task.holds)) {
      simple->engine = engine_id;
      return std::move(*simple);
    }
  }
  if (std::optional<Witness> own = engine.explain(task, env)) {
    own->engine = engine_id;
    return std::move(*own);
  }
  NESTOR_CHECK(!is_fair);  // an engine that decides fair paths shows them
  const Stopwatch label_watch;
  const FormulaId normal = existential_normal_form(pool, formula);
  std::optional<Labelling> labelling = engine.label(model, pool, normal, env);
  std::string_view source = engine_id;
  if (!labelling) {
    // The engine knows no more than its verdict: the default engine finds the values.
    source = default_engine().id;
    labelling = default_engine().make()->label(model, pool, normal, env);
  }
  NESTOR_CHECK(labelling.has_value());
  env.statistics->add_seconds("witness.label.seconds", label_watch.seconds());
  return extract_witness(model, pool, formula, task.holds, *labelling, std::string(source),
                         env.limits);
}

Witness make_witness(Engine& engine, std::string_view engine_id, const ExplainTask& task,
                     Env& env) {
  Witness witness = find_witness(engine, engine_id, task, env);
  // What is shown is right or not shown at all. Claims about all paths are left to `nestor replay`.
  NESTOR_CHECK(
      replay(task.model, task.pool, task.formula, witness, nullptr, task.fairness).outcome !=
      Replay::Outcome::Rejected);
  return witness;
}

/// Formulas of the model's file may be written in the file's own language.
std::string text_of(const LoadedModel& loaded, const FormulaPool& pool, const NamedFormula& formula,
                    std::size_t place) {
  return place < loaded.properties.size() ? to_string(pool, formula.formula) : formula.text;
}

}  // namespace

void WitnessMaker::make(Engine& engine, std::string_view engine_id, const LoadedModel& loaded,
                        FormulaPool& pool, Env& env, CheckReport& report) {
  report.witnesses.resize(report.results.size());
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const NamedFormula& formula = report.formulas[i];
    if (report.results[i].verdict == Verdict::Unknown) {
      continue;
    }
    std::string reason = loaded.not_explainable();
    if (!reason.empty()) {
      report.warnings.push_back(fmt::format("no witness for formula {}: {}", i + 1, reason));
      continue;
    }
    const Rsm& model = loaded.model_of(i);
    try {
      const Witness witness =
          make_witness(engine, engine_id,
                       {model, pool, formula.formula, report.results[i].verdict == Verdict::Holds,
                        &loaded.fairness},
                       env);
      if (wants_text()) {
        report.witnesses[i].text = witness_text(model, pool, witness);
      }
      if (wants_json()) {
        report.witnesses[i].json =
            witness_json(model, pool, witness, text_of(loaded, pool, formula, i));
      }
      if (!options_.witness_dot.empty()) {
        dot_ += witness_dot(model, witness, formula.text);
      }
      continue;
    } catch (const LimitReached& limit) {
      reason = limit.reason;
    } catch (const std::bad_alloc&) {
      reason = "out of memory";
    }
    release_free_memory();
    report.warnings.push_back(fmt::format("no witness for formula {}: {}", i + 1, reason));
  }
}

void WitnessMaker::write_files(const CheckReport& report) const {
  const auto write = [](const std::string& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
  };
  if (!options_.witness.empty() && options_.witness != "-") {
    write(options_.witness, verdict_json(report));
  }
  if (!options_.witness_dot.empty()) {
    write(options_.witness_dot, dot_);
  }
}

}  // namespace nestor
