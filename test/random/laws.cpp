// Laws on random models and formulas, with every engine that can handle them. Witnesses are
// replayed on the changed models and for the laws as well.
//
//   laws [--pairs=N] [--seed=S] [--out=FOLDER]
//
// Case k of a run has seed S + k, so --seed=K --pairs=1 repeats one. What breaks a law is reduced
// and written to FOLDER.

#include "base/input.h"
#include "engine/registry.h"
#include "format/registry.h"
#include "formula_laws.h"
#include "logic/printer.h"
#include "model_laws.h"
#include "pair.h"
#include "run_options.h"
#include "shrink.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
using nestor::test::Case;
using nestor::test::FormulaLaw;
using nestor::test::ModelLaw;
using nestor::test::Variant;

constexpr std::size_t kFormulasPerModel = 4;
constexpr std::size_t kFormulaLawsPerModel = 2;

/// The verdicts of one engine; none if it cannot handle the model.
std::vector<engine::Verdict> verdicts(const engine::EngineInfo& info, const model::Rsm& model,
                                      logic::FormulaPool& pool,
                                      const std::vector<logic::FormulaId>& formulas) {
  const std::unique_ptr<engine::Engine> engine = info.make();
  const engine::Task task{model, pool, formulas};
  std::vector<engine::Verdict> found;
  if (engine->cannot_handle(task).empty()) {
    engine::Env env;
    env.limits.steps = test::kMostSteps;
    for (const engine::Result& result : engine->check(task, env)) {
      found.push_back(result.verdict);
    }
  }
  return found;
}

struct Broken {
  std::size_t formula = 0;
  std::string_view engine;  // or that it is a witness
};
constexpr std::string_view kWitness = "a witness";

/// Which formula tells the variant from the model, and to which engine.
std::optional<Broken> broken_by(const ModelLaw& law, std::uint64_t seed, const model::Rsm& model,
                                logic::FormulaPool& pool,
                                const std::vector<logic::FormulaId>& formulas) {
  base::Random random(seed);
  const std::optional<Variant> variant = law.change(model, random);
  std::vector<std::size_t> concerned;
  std::vector<logic::FormulaId> before;
  std::vector<logic::FormulaId> after;
  for (std::size_t i = 0; variant && i < formulas.size(); ++i) {
    const logic::FormulaId image =
        variant->formula ? variant->formula(pool, formulas[i]) : formulas[i];
    if (image.valid()) {
      concerned.push_back(i);
      before.push_back(formulas[i]);
      after.push_back(image);
    }
  }
  std::vector<engine::Verdict> right;
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    if (concerned.empty()) {
      break;
    }
    const std::vector<engine::Verdict> old_verdicts = verdicts(info, model, pool, before);
    const std::vector<engine::Verdict> new_verdicts = verdicts(info, variant->model, pool, after);
    for (std::size_t k = 0; k < std::min(old_verdicts.size(), new_verdicts.size()); ++k) {
      if (old_verdicts[k] != new_verdicts[k] || old_verdicts[k] == engine::Verdict::Unknown) {
        return Broken{concerned[k], info.id};
      }
    }
    right = right.empty() ? new_verdicts : right;
  }
  for (std::size_t k = 0; k < concerned.size(); ++k) {
    if (!test::witness_fault(variant->model, pool, after[k], right.at(k)).empty()) {
      return Broken{concerned[k], kWitness};
    }
  }
  return std::nullopt;
}

/// Which of the formulas, all of which are laws, fails, and by which engine.
std::optional<Broken> broken_law(const model::Rsm& model, logic::FormulaPool& pool,
                                 const std::vector<logic::FormulaId>& laws) {
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    const std::vector<engine::Verdict> found = verdicts(info, model, pool, laws);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] != engine::Verdict::Holds) {
        return Broken{i, info.id};
      }
    }
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (!test::witness_fault(model, pool, laws[i], engine::Verdict::Holds).empty()) {
      return Broken{i, kWitness};
    }
  }
  return std::nullopt;
}

model::Rsm copy_of(const model::Rsm& model) {
  const format::FormatInfo& format = format::find_format("rsm", "");
  return format::read_machine(format, base::Input::from_text("copy", format.write(model)));
}

void write_text(const std::string& path, std::string_view text) {
  base::OutputFile file(path);
  file.write(text);
  file.commit();
}

void report_formula_law(const Case& random, logic::FormulaPool& pool, logic::FormulaId law,
                        std::string_view text, std::string_view engine, const std::string& stem) {
  // The formula is not cut down: a part of a law is no law.
  const format::FormatInfo& format = format::find_format("rsm", "");
  const test::Shrunk small = test::shrink(
      copy_of(random.model), pool, law, [&](const model::Rsm& model, logic::FormulaId formula) {
        return formula == law && broken_law(model, pool, {law}).has_value();
      });
  write_text(stem + ".rsm", format.write(small.model));
  write_text(stem + ".ctl", fmt::format("# {}\n{}\n", engine, logic::to_string(pool, law)));
  fmt::print("{}: {} does not hold\n  {}\n  reduced to {}.rsm and .ctl\n", engine, text,
             logic::to_string(pool, law), stem);
}

void report_model_law(const Case& random, logic::FormulaPool& pool, const ModelLaw& law,
                      const Broken& broken, std::uint64_t seed, const std::string& stem) {
  const format::FormatInfo& format = format::find_format("rsm", "");
  const auto fails = [&](const model::Rsm& model, logic::FormulaId formula) {
    return broken_by(law, seed, model, pool, {formula}).has_value();
  };
  const logic::FormulaId formula = random.formulas[broken.formula];
  fmt::print("{}: {} changes the verdict\n  {}\n", broken.engine, law.name,
             logic::to_string(pool, formula));
  if (!fails(random.model, formula)) {
    fmt::print("  only together with the other formulas\n");
    return;
  }
  const test::Shrunk small = test::shrink(copy_of(random.model), pool, formula, fails);
  base::Random again(seed);
  const std::optional<Variant> variant = law.change(small.model, again);
  write_text(stem + ".rsm", format.write(small.model));
  write_text(stem + "_changed.rsm", format.write(variant->model));
  write_text(stem + ".ctl", fmt::format("# {}, {}\n{}\n", law.name, broken.engine,
                                        logic::to_string(pool, small.formula)));
  fmt::print("  reduced to {0}.rsm, {0}_changed.rsm and .ctl\n", stem);
}

/// True if all laws hold.
bool check_case(std::uint64_t seed, const std::string& folder, std::vector<std::size_t>& applied) {
  logic::FormulaPool pool;
  const Case random = test::make_case(pool, seed, kFormulasPerModel);
  const std::string stem = fmt::format("{}/seed_{}", folder, seed);
  for (std::size_t l = 0; l < test::model_laws().size(); ++l) {
    const ModelLaw& law = test::model_laws()[l];
    if (const auto broken = broken_by(law, seed, random.model, pool, random.formulas)) {
      fmt::print("seed {}: ", seed);
      report_model_law(random, pool, law, *broken, seed, stem);
      return false;
    }
    base::Random same(seed);
    applied[l] += law.change(random.model, same) ? 1U : 0U;
  }
  std::vector<logic::FormulaId> laws;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kFormulaLawsPerModel; ++i) {
    const std::size_t place = seed * kFormulaLawsPerModel + i;
    const FormulaLaw& law = test::formula_laws()[place % test::formula_laws().size()];
    laws.push_back(
        test::instance_of(law, pool, random.formulas[2 * i], random.formulas[2 * i + 1]));
    texts.push_back(fmt::format("{} = {}", law.left, law.right));
  }
  if (const auto broken = broken_law(random.model, pool, laws)) {
    fmt::print("seed {}: ", seed);
    report_formula_law(random, pool, laws[broken->formula], texts[broken->formula], broken->engine,
                       stem);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {4000, 1, "."});
  fmt::print("seed {}, {} pairs\n", seed, pairs);
  std::size_t failures = 0;
  std::vector<std::size_t> applied(test::model_laws().size());
  for (std::size_t k = 0; k * kFormulasPerModel < pairs && failures < 3; ++k) {
    failures += check_case(seed + k, folder, applied) ? 0U : 1U;
  }
  for (std::size_t l = 0; l < applied.size(); ++l) {
    fmt::print("{}: {} models\n", test::model_laws()[l].name, applied[l]);
  }
  fmt::print("{} failures\n", failures);
  return failures == 0 ? 0 : 1;
}
