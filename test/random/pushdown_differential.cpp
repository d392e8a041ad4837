// Random pushdown systems and recursive state machines, converted into each other and back:
// every formula must keep its verdict.
//
//   pushdown_differential [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "engine/registry.h"
#include "format/pds/from_rsm.h"
#include "format/pds/to_rsm.h"
#include "generate/random_formula.h"
#include "generate/random_pushdown.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"
#include "pushdown_unfolding.h"
#include "run_options.h"
#include "unfolding.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <cstdio>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulas = 4;
constexpr std::size_t kMostStates = 300;

struct Counts {
  std::size_t verdicts = 0;  // compared with each other
  std::size_t unfolded = 0;  // of these, decided by configurations as well
  std::size_t failures = 0;
};

engine::Verdict by_engine(std::string_view id, const model::Rsm& model, logic::FormulaPool& pool,
                          logic::FormulaId formula) {
  const std::vector<logic::FormulaId> formulas{formula};
  engine::Env env;
  const std::unique_ptr<engine::Engine> engine = engine::find_engine(id).make();
  const engine::Task task{model, pool, formulas};
  return engine->cannot_handle(task).empty() ? engine->check(task, env)[0].verdict
                                             : engine::Verdict::Unknown;
}

/// Labels of all kinds, a second initial configuration, and now and then a bottom marker as in
/// systems made of programs.
model::PushdownSystem random_system(base::Random& random) {
  generate::RandomPushdownOptions options;
  options.controls = random.between(1, 3);
  options.symbols = random.between(1, 5);
  options.pops = random.between(0, 6);
  options.rewrites = random.between(0, 8);
  options.pushes = random.between(0, 5);
  model::PushdownSystem system = generate::random_pushdown(options, random);
  if (random.chance(0.3)) {
    system.label(model::ControlId(random.below(options.controls)), system.intern("a"));
    system.label(model::SymbolId(random.below(options.symbols)), system.intern("c"));
  }
  if (random.chance(0.1)) {
    const model::ControlId second(random.below(options.controls));
    system.initial({second, model::SymbolId(random.below(options.symbols))});
  }
  return system;
}

/// `(start, #) -> (q0, s0 #)`, `(q0, #) -> (end, #)`.
model::PushdownSystem with_bottom_marker(base::Random& random) {
  const model::PushdownSystem inner = random_system(random);
  model::PushdownSystem system;
  for (const model::ControlId q : inner.controls()) {
    system.control(inner.name(q));
  }
  for (const model::SymbolId s : inner.symbols()) {
    system.symbol(inner.name(s));
  }
  const model::ControlId start = system.control("start");
  const model::SymbolId marker = system.symbol("#");
  system.initial({start, marker});
  system.push({start, marker}, model::ControlId(0), model::SymbolId(0), marker);
  system.rewrite({model::ControlId(0), marker}, system.control("end"), marker);
  for (const model::PushdownRule& rule : inner.rules()) {
    system.rule(rule);
  }
  for (const model::PushdownSystem::HeadLabel& label : inner.head_labels()) {
    system.label(label.head, system.intern(inner.string(label.proposition)));
  }
  return system;
}

class Comparison {
 public:
  Comparison(Counts& counts, std::uint64_t seed) : counts_(counts), seed_(seed) {}

  void system(const model::PushdownSystem& system, logic::FormulaPool& pool,
              logic::FormulaId formula, const char* what) {
    const engine::Verdict unfolded = test::check_by_unfolding(
        system, pool, logic::existential_normal_form(pool, formula), kMostStates);
    counts_.unfolded += unfolded == engine::Verdict::Unknown ? 0 : 1;
    add(unfolded, pool, formula, what);
  }
  void model(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
             const char* what) {
    const engine::Verdict right = by_engine("reference", model, pool, formula);
    add(right, pool, formula, what);
    add(by_engine("summary", model, pool, formula), pool, formula, what);
    if (right != engine::Verdict::Unknown) {
      const std::string fault = test::witness_fault(model, pool, formula, right);
      counts_.failures += fault.empty() ? 0 : 1;
      if (!fault.empty()) {
        fmt::print("seed {}: {}: {}: {}\n", seed_, what, fault, logic::to_string(pool, formula));
      }
    }
  }

 private:
  void add(engine::Verdict verdict, const logic::FormulaPool& pool, logic::FormulaId formula,
           const char* what) {
    if (verdict == engine::Verdict::Unknown) {
      return;
    }
    ++counts_.verdicts;
    if (verdict_ != engine::Verdict::Unknown && verdict_ != verdict) {
      ++counts_.failures;
      fmt::print("seed {}: {} is {} but was {}: {}\n", seed_, what, engine::to_string(verdict),
                 engine::to_string(verdict_), logic::to_string(pool, formula));
    }
    verdict_ = verdict;
  }

  Counts& counts_;
  std::uint64_t seed_;
  engine::Verdict verdict_ = engine::Verdict::Unknown;
};

void run_case(std::uint64_t seed, Counts& counts) {
  logic::FormulaPool pool;
  base::Random random(seed);
  const model::PushdownSystem system =
      random.chance(0.3) ? with_bottom_marker(random) : random_system(random);
  const model::Rsm model = format::to_rsm(system, "system", model::DeadEnds::Keep);
  const model::PushdownSystem again = format::from_rsm(model);
  const model::Rsm back = format::to_rsm(again, "again", model::DeadEnds::Keep);
  for (std::size_t i = 0; i < kFormulas; ++i) {
    generate::RandomFormulaOptions options;
    options.quantifier_depth = random.below(5);
    const logic::FormulaId formula = generate::random_formula(pool, options, random);
    Comparison comparison(counts, seed);
    comparison.system(system, pool, formula, "the pushdown system");
    comparison.model(model, pool, formula, "its machine");
    comparison.system(again, pool, formula, "the machine's pushdown system");
    comparison.model(back, pool, formula, "and its machine");
  }

  const test::Case machine = test::make_case(pool, seed, kFormulas);
  const model::PushdownSystem converted = format::from_rsm(machine.model);
  const model::Rsm twice = format::to_rsm(converted, "converted", model::DeadEnds::Keep);
  for (const logic::FormulaId formula : machine.formulas) {
    Comparison comparison(counts, seed);
    comparison.model(machine.model, pool, formula, "the machine");
    comparison.system(converted, pool, formula, "its pushdown system");
    comparison.model(twice, pool, formula, "the machine of that");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {3000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  Counts counts;
  for (std::size_t k = 0; k < cases && counts.failures < 5; ++k) {
    run_case(seed + k, counts);
  }
  fmt::print("{} verdicts, {} by configurations, {} failures\n", counts.verdicts, counts.unfolded,
             counts.failures);
  return counts.failures == 0 ? 0 : 1;
}
