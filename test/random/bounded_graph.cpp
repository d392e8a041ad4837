#include "bounded_graph.h"

#include <algorithm>
#include <utility>

namespace nestor::test {

namespace {

using Set = std::vector<bool>;

/// `upper`: unknown states count as satisfying every temporal formula; else as satisfying none.
Set label_temporal(const BoundedGraph& graph, logic::Op op, const Set& left, const Set& right,
                   bool upper) {
  const std::size_t size = graph.successors.size();
  Set now(size, op == logic::Op::EG);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = size; s-- > 0;) {
      const std::vector<std::size_t>& next = graph.successors[s];
      const Set& looked_at = op == logic::Op::EX ? left : now;
      const bool some =
          std::any_of(next.begin(), next.end(), [&](std::size_t t) { return looked_at[t]; });
      bool value = upper;
      if (!graph.unknown[s]) {
        value = op == logic::Op::EX   ? some
                : op == logic::Op::EU ? right[s] || (left[s] && some)
                                      : left[s] && (some || next.empty());
      }
      changed = changed || value != now[s];
      now[s] = value;
    }
  }
  return now;
}

}  // namespace

engine::Verdict check_graph(
    const BoundedGraph& graph, const logic::FormulaPool& pool, logic::FormulaId formula,
    const std::function<bool(std::size_t state, std::string_view prop)>& carries) {
  const std::size_t size = graph.successors.size();
  std::map<logic::FormulaId, Set> lower;
  std::map<logic::FormulaId, Set> upper;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula& part = pool[f];
    Set low(size);
    Set high(size);
    switch (part.op) {
      case logic::Op::True:
        low.assign(size, true);
        high = low;
        break;
      case logic::Op::Atom:
        for (std::size_t s = 0; s < size; ++s) {
          low[s] = carries(s, pool.atom_name(f));
        }
        high = low;
        break;
      case logic::Op::Not:
        for (std::size_t s = 0; s < size; ++s) {
          low[s] = !upper[part.left][s];
          high[s] = !lower[part.left][s];
        }
        break;
      case logic::Op::Or:
        for (std::size_t s = 0; s < size; ++s) {
          low[s] = lower[part.left][s] || lower[part.right][s];
          high[s] = upper[part.left][s] || upper[part.right][s];
        }
        break;
      default: {
        const bool binary = logic::operand_count(part.op) == 2;
        low = label_temporal(graph, part.op, lower[part.left], binary ? lower[part.right] : Set(),
                             false);
        high = label_temporal(graph, part.op, upper[part.left], binary ? upper[part.right] : Set(),
                              true);
      }
    }
    lower[f] = std::move(low);
    upper[f] = std::move(high);
  }
  bool all = true;
  for (std::size_t s = 0; s < graph.initial; ++s) {
    if (!upper[formula][s]) {
      return engine::Verdict::Fails;
    }
    all = all && lower[formula][s];
  }
  return all ? engine::Verdict::Holds : engine::Verdict::Unknown;
}

}  // namespace nestor::test
