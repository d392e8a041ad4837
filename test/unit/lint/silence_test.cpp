#include "lint/silence.h"

#include "base/random.h"
#include "engine/registry.h"
#include "lint/rule_formula.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace nestor::lint {
namespace {

program::Reduction reduction_of(const std::string& text) {
  logic::FormulaPool pool;
  return reduction_for(pool,
                       logic::existential_normal_form(pool, logic::parse_formula(pool, text, {})));
}

TEST(Silence, WhatIsDemandedUntilAnEventMustHoldInSilence) {
  EXPECT_EQ(reduction_of("AG (a -> AX A [!b W c])"), program::Reduction::Events);
  EXPECT_EQ(reduction_of("E [!a U b] | AG (c -> A [!b W a])"), program::Reduction::Events);
  EXPECT_EQ(reduction_of("AG (a -> EF (b | c))"), program::Reduction::Events);
  EXPECT_EQ(reduction_of("EF EF a"), program::Reduction::Events);
  EXPECT_EQ(reduction_of("AF a"), program::Reduction::KeepLoops);
  EXPECT_EQ(reduction_of("AG (a -> A [!b U c])"), program::Reduction::KeepLoops);
  EXPECT_EQ(reduction_of("E [a U b]"), program::Reduction::Nothing);  // silence is not a
  EXPECT_EQ(reduction_of("EF !a"), program::Reduction::Nothing);  // silence is what is looked for
  EXPECT_EQ(reduction_of("AG EF a"),
            program::Reduction::Nothing);                        // a silent place with no way to a
  EXPECT_EQ(reduction_of("EX a"), program::Reduction::Nothing);  // counts steps
  EXPECT_EQ(reduction_of("EG a"), program::Reduction::Nothing);
  EXPECT_EQ(reduction_of("A [a W b]"), program::Reduction::Nothing);
}

/// Points labelled with what they call, in as small a model as `reduction` allows.
class EventLabels final : public program::SliceLabels {
 public:
  EventLabels(const program::Program& program, program::Reduction reduction)
      : program_(program), reduction_(reduction) {}
  void of(const program::ComponentKey& key, std::uint32_t p,
          std::vector<std::string>& labels) const override {
    const program::Point& point = program_.functions[key.function].points[p];
    if (point.callee.valid()) {
      labels.emplace_back(program_.text(point.callee));
    }
  }
  bool enters(const program::ComponentKey&, const program::Point&, program::FunctionId,
              program::ComponentKey&) const override {
    return true;
  }
  program::Reduction reduction() const override { return reduction_; }

 private:
  const program::Program& program_;
  program::Reduction reduction_;
};

/// Functions with few points, most of them silent, that go anywhere.
program::Program random_program(base::Random& random) {
  constexpr std::array<const char*, 3> kEvents = {"a", "b", "c"};
  program::Program program;
  const std::size_t functions = 1 + random.below(4);
  for (std::size_t i = 0; i < functions; ++i) {
    program::Function function;
    function.name = program.strings.intern("f" + std::to_string(i));
    function.source_name = function.name;
    function.add_ends();
    const std::size_t points = 2 + random.below(6);
    for (std::size_t p = 0; p < points; ++p) {
      program::Point point;
      if (random.below(3) == 0) {
        point.kind = program::PointKind::Call;
        point.targets = {program::FunctionId(static_cast<std::uint32_t>(random.below(functions)))};
        point.repeats = random.below(6) == 0;
      } else if (i == 0 ? random.below(2) == 0 : random.below(6) == 0) {
        point.callee = program.strings.intern(kEvents[random.below(kEvents.size())]);
      }
      function.points.push_back(point);
    }
    const auto some_point = [&] {
      const std::size_t choice = random.below(points + 2);
      return choice == points ? program::Function::kReturn
             : choice == points + 1
                 ? (random.below(4) == 0 ? program::Function::kHalt : program::Function::kReturn)
                 : program::Function::kFirst + static_cast<std::uint32_t>(choice);
    };
    function.points[program::Function::kEntry].next = {program::Function::kFirst};
    for (std::size_t p = program::Function::kFirst; p < function.points.size(); ++p) {
      function.points[p].next = {some_point()};
      if (random.below(2) == 0) {
        const std::uint32_t other = some_point();
        if (other != function.points[p].next.front()) {
          function.points[p].next.push_back(other);
        }
      }
    }
    program.functions.push_back(function);
  }
  program::infer_outcomes(program);
  program::infer_divergence(program);
  return program;
}

engine::Verdict verdict(const program::Program& program, program::Reduction reduction,
                        logic::FormulaPool& pool, logic::FormulaId formula) {
  const program::SlicedModel model =
      program::slice(program, {{program::FunctionId(0), {}}}, EventLabels(program, reduction));
  engine::Env env;
  return engine::default_engine()
      .make()
      ->check({model.model, pool, {&formula, 1}}, env)
      .front()
      .verdict;
}

TEST(Silence, ReducedModelsHaveTheVerdictsOfWholeOnes) {
  constexpr std::array kFormulas = {"AG (a -> AX A [!b W c])",
                                    "E [!a U b] | AG (c -> A [!b W a])",
                                    "AG (a -> EF (b | c))",
                                    "AG (a -> EX E [!b U c])",
                                    "AF a",
                                    "AG (a -> AF b)",
                                    "AG (a -> A [!b U c])",
                                    "EF (a & EX EG !b)",
                                    "EG !a | EF (b & EG !c)",
                                    "EF EG !a",
                                    "E [!a U EG !b]",
                                    "AG (b -> AX AF (a | c))"};
  std::map<std::pair<std::string, engine::Verdict>, int> seen;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    base::Random random(seed);
    const program::Program program = random_program(random);
    for (const char* text : kFormulas) {
      logic::FormulaPool pool;
      const logic::FormulaId formula =
          logic::existential_normal_form(pool, logic::parse_formula(pool, text, {}));
      const program::Reduction reduction = reduction_for(pool, formula);
      ASSERT_NE(reduction, program::Reduction::Nothing) << text;
      const engine::Verdict whole = verdict(program, program::Reduction::Nothing, pool, formula);
      ASSERT_EQ(verdict(program, reduction, pool, formula), whole) << text << ", seed " << seed;
      ++seen[{text, whole}];
    }
  }
  for (const char* text : kFormulas) {  // both verdicts are met
    EXPECT_GE((seen[{text, engine::Verdict::Holds}]), 3) << text;
    EXPECT_GE((seen[{text, engine::Verdict::Fails}]), 3) << text;
  }
}

constexpr std::array kShapesOfRules = {"AG (a -> AX A [!b W c])",
                                       "AG (a -> AX (A [!b W c] | EF c))",
                                       "AG (a -> AX AG !b | EX E [!b U c])",
                                       "AG (a -> !EF b | E [!b U c])",
                                       "AG (a -> A [!c W b] | A [!b W c])",
                                       "AG (a -> EX E [!b U (b | c)])",
                                       "!E [!a U b]",
                                       "AG !(a & b)"};

engine::Verdict verdict(const program::Program& program, const RuleFormula& formula) {
  logic::FormulaPool pool;
  return verdict(program, program::Reduction::Nothing, pool,
                 logic::existential_normal_form(pool, formula.renamed(pool, unchanged)));
}

TEST(RuleFormula, HoldsForWantOfAtomsWhereTheModelSaysSo) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    base::Random random(seed);
    program::Program program = random_program(random);
    std::set<std::string, std::less<>> atoms;
    for (const std::string atom : {"a", "b", "c"}) {
      if (random.below(2) == 0) {
        atoms.insert(atom);
      }
    }
    for (program::Function& function : program.functions) {
      for (program::Point& point : function.points) {
        if (point.callee.valid() && atoms.count(program.text(point.callee)) == 0) {
          point.callee = base::StringId();
        }
      }
    }
    for (const char* text : kShapesOfRules) {
      const RuleFormula formula(text, {});
      if (formula.holds_with(atoms)) {
        ++seen[text];
        EXPECT_EQ(verdict(program, formula), engine::Verdict::Holds) << text << ", seed " << seed;
      }
    }
  }
  for (const char* text : kShapesOfRules) {
    EXPECT_GE(seen[text], 30) << text;
  }
}

TEST(RuleFormula, TheUniversalPartIsStronger) {
  int holding = 0;
  int failing = 0;
  for (const char* text : kShapesOfRules) {
    const RuleFormula formula(text, {});
    const RuleFormula part = formula.universal_part();
    EXPECT_TRUE(part.is_universal()) << text;
    EXPECT_LE(part.reduction(), formula.reduction()) << text;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      base::Random random(seed);
      const program::Program program = random_program(random);
      const engine::Verdict of_part = verdict(program, part);
      const engine::Verdict whole = verdict(program, formula);
      if (of_part == engine::Verdict::Holds || formula.is_universal()) {
        EXPECT_EQ(of_part, whole) << text << ", seed " << seed;
      }
      (of_part == engine::Verdict::Holds ? holding : failing) += whole == engine::Verdict::Holds;
    }
  }
  EXPECT_GE(holding, 300);
  EXPECT_GE(failing, 10);  // it is stronger, but not too strong to be of use
}

}  // namespace
}  // namespace nestor::lint
