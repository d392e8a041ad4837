#include "path_case.h"

#include "base/random.h"
#include "generate/random_rsm.h"
#include "logic/path_formula.h"
#include "path_oracle.h"
#include "path_words.h"

#include <map>

namespace nestor::test {

namespace {

constexpr std::size_t kMostOperators = 3;

/// `formula` with the atom `c` replaced.
logic::FormulaId replaced(logic::FormulaPool& pool, logic::FormulaId formula, logic::FormulaId by) {
  std::map<logic::FormulaId, logic::FormulaId> made;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula node = pool[f];
    const int operands = logic::operand_count(node.op);
    made[f] = node.op == logic::Op::Atom && pool.atom_name(f) == "c" ? by
              : operands == 0                                        ? f
              : operands == 1 ? pool.unary(node.op, made[node.left])
                              : pool.binary(node.op, made[node.left], made[node.right]);
  }
  return made[formula];
}

logic::FormulaId random_quantified(logic::FormulaPool& pool, std::mt19937_64& random) {
  for (;;) {
    const logic::FormulaId path =
        random_path_formula(pool, random, static_cast<int>(1 + random() % 5), 3, random() % 4 == 0);
    if (path_operator_count(pool, path) <= kMostOperators && !pool.is_state_formula(path)) {
      return path;
    }
  }
}

}  // namespace

model::Rsm random_path_machine(std::uint64_t seed) {
  base::Random random(seed);
  std::mt19937_64 coin(seed);
  generate::RandomRsmOptions options;
  options.components = 1 + coin() % 3;
  options.boxes = coin() % 3;
  options.nodes = 2 + coin() % 3;
  options.exits = coin() % 2 == 0 ? 0.05 : 0.5;
  options.entries = coin() % 2 == 0 ? 0.05 : 0.5;
  options.density = 0.2;
  options.hierarchical = coin() % 3 != 0;
  options.entries_may_exit = coin() % 2 == 0;
  options.into_entries = coin() % 2 == 0;
  options.exits_go_on = coin() % 3 == 0;
  options.some_never_exit = coin() % 4 == 0;
  options.dead_ends = coin() % 2 == 0;
  options.forward = coin() % 3 == 0;
  return generate::random_rsm(options, random);
}

logic::FormulaId random_path_question(logic::FormulaPool& pool, std::mt19937_64& random,
                                      bool nests) {
  logic::FormulaId path = random_quantified(pool, random);
  if (nests) {
    path = replaced(pool, path,
                    logic::quantified(pool, random() % 2 == 0, random_quantified(pool, random)));
  }
  // Not `quantified`: so that CTL's operators are also tried with their quantifiers apart.
  return random() % 2 == 0 ? logic::quantified(pool, random() % 2 == 0, path)
                           : pool.unary(random() % 2 == 0 ? logic::Op::A : logic::Op::E, path);
}

}  // namespace nestor::test
