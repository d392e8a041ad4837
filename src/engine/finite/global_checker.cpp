#include "engine/finite/global_checker.h"

#include <cassert>

namespace nestor::engine::finite {

void GlobalChecker::evaluate(std::uint32_t end) {
  for (; done_ < end; ++done_) {
    labeled_[done_] = base::BitSet(graph_.size());
    process(done_);
  }
}

std::size_t GlobalChecker::memory_bytes() const {
  std::size_t bytes = search_bytes();
  for (const base::BitSet& values : labeled_) {
    bytes += values.size() / 8;
  }
  return bytes;
}

void GlobalChecker::process(std::uint32_t i) {
  using Type = Subformula::Type;
  const Subformula& f = sub_[i];
  base::BitSet& result = labeled_[i];
  assert(f.left <= i && f.right <= i);  // operands first
  switch (f.type) {
    case Type::True:
      result.set_all();
      break;
    case Type::Atom:
      for (const model::NodeId s : graph_.states_with(pool_.atom_name(f.atom))) {
        result.set(s.value());
      }
      break;
    case Type::Negation:
      for (const model::NodeId s : graph_.states()) {
        guard_.tick();
        if (!labeled_[f.left].test(s.value())) {
          result.set(s.value());
        }
      }
      break;
    case Type::Disjunction:
      result |= labeled_[f.left];
      result |= labeled_[f.right];
      break;
    case Type::EX:
      process_ex(labeled_[f.left], result);
      break;
    case Type::AU:
      au(labeled_[f.left], labeled_[f.right], result);
      break;
    case Type::EU:
      eu(labeled_[f.left], labeled_[f.right], result);
      break;
  }
}

void GlobalChecker::process_ex(const base::BitSet& operand, base::BitSet& result) {
  for (const model::NodeId s : graph_.states()) {
    for (const model::NodeId t : graph_.successors(s)) {
      guard_.tick();
      if (operand.test(t.value())) {
        result.set(s.value());
        break;
      }
    }
  }
}

}  // namespace nestor::engine::finite
