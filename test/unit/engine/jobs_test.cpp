// Threads inside one check begin to work at some size only, which the random tests do not reach.

#include "engine/registry.h"
#include "generate/random_program.h"
#include "logic/parser.h"

#include <gtest/gtest.h>

namespace nestor::engine {
namespace {

std::vector<Result> check(std::string_view engine, const model::Rsm& model, unsigned jobs) {
  logic::FormulaPool pool;
  std::vector<logic::FormulaId> formulas;
  for (const char* text :
       {"EF (p & q)", "AG (p -> EF q)", "AG (p -> AF q)", "A [p U q]", "EG !p", "EF EG !p",
        "E [!p U q & EX p]", "AG EF (p & AX !q)", "EF (q & E [!p U EG q])", "AG (q -> EX p)"}) {
    formulas.push_back(logic::parse_formula(pool, text, {}));
  }
  Env env;
  env.jobs = jobs;
  return find_engine(engine).make()->check({model, pool, formulas}, env);
}

class LargeProgram : public testing::TestWithParam<std::uint64_t> {};

TEST_P(LargeProgram, JobsChangeNothing) {
  base::Random random(GetParam());
  generate::RandomProgramOptions options;
  options.nodes = 30000;
  options.recursion = GetParam() % 2 == 0 ? 0.0 : 0.5;
  const model::Rsm model = generate::random_program(options, random);
  const std::vector<Result> right = check("ternary", model, 1);
  const std::vector<Result> one = check("summary", model, 1);
  for (const unsigned jobs : {2U, 4U}) {
    const std::vector<Result> many = check("summary", model, jobs);
    for (std::size_t i = 0; i < right.size(); ++i) {
      EXPECT_EQ(many[i].verdict, right[i].verdict) << jobs << ' ' << i;
      EXPECT_EQ(many[i].verdict, one[i].verdict) << jobs << ' ' << i;
      EXPECT_EQ(many[i].contexts, one[i].contexts) << jobs << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LargeProgram, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace nestor::engine
