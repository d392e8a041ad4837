// Formula files of any content must be read or refused, never crash; what is read must survive
// printing, and its normal form must be one.

#include "format/registry.h"
#include "logic/normal_form.h"
#include "logic/parser.h"
#include "logic/printer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using nestor::logic::Formula;
using nestor::logic::FormulaId;
using nestor::logic::FormulaPool;
using nestor::logic::Op;

void require(bool condition) {
  if (!condition) {
    __builtin_trap();
  }
}

void check_round_trip(FormulaPool& pool, FormulaId formula) {
  const std::string text = nestor::logic::to_string(pool, formula);
  require(nestor::logic::parse_formula(pool, text, {}) == formula);
}

/// True if the formula, written out as a tree, has at most `limit` operators and atoms. Normal
/// forms share their parts, so the tree can be exponentially larger than what is in memory.
bool is_small_tree(const FormulaPool& pool, FormulaId root, std::uint64_t limit) {
  const std::vector<FormulaId> all = nestor::logic::subformulas(pool, root);
  std::vector<std::uint64_t> sizes;
  const auto size_of = [&](FormulaId id) {
    return sizes[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), id) -
                                          all.begin())];
  };
  for (const FormulaId id : all) {
    const int operands = nestor::logic::operand_count(pool[id].op);
    sizes.push_back(1 + (operands >= 1 ? size_of(pool[id].left) : 0) +
                    (operands == 2 ? size_of(pool[id].right) : 0));
    if (sizes.back() > limit) {
      return false;
    }
  }
  return true;
}

void check_normal_form(FormulaPool& pool, FormulaId formula) {
  if (!pool.is_ctl(formula)) {
    return;
  }
  const FormulaId normal = nestor::logic::existential_normal_form(pool, formula);
  for (const FormulaId id : nestor::logic::subformulas(pool, normal)) {
    const Formula& part = pool[id];
    require(part.op == Op::True || part.op == Op::Atom || part.op == Op::Not || part.op == Op::Or ||
            nestor::logic::is_existential(part.op));
    require(part.op != Op::Not || pool[part.left].op != Op::Not);
  }
  require(nestor::logic::existential_normal_form(pool, normal) == normal);
  constexpr std::uint64_t kSmall = 10000;
  if (is_small_tree(pool, normal, kSmall)) {
    check_round_trip(pool, normal);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FormulaPool pool(nestor::format::atom_dialects());
  std::vector<nestor::logic::NamedFormula> formulas;
  try {
    formulas = nestor::logic::parse_formula_file(pool, text, "fuzz.ctl");
  } catch (const nestor::base::Error& error) {
    require(error.kind() == nestor::base::Error::Kind::Input);
    require(error.location().line >= 1 && error.location().column >= 1);
    return 0;
  }
  for (const nestor::logic::NamedFormula& entry : formulas) {
    require(nestor::logic::parse_formula(pool, entry.text, entry.location) == entry.formula);
    check_round_trip(pool, entry.formula);
    check_normal_form(pool, entry.formula);
  }
  return 0;
}
