#include "engine/rks/local_check.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace nestor::engine::rks {

namespace {

/// The usual check of one formula on the structure; a value counts as true from `least` on, so that
/// `Maybe` gives ϕ_{t∨m}.
class KripkeCheck {
 public:
  KripkeCheck(const AssociatedStructure& structure, Ternary least, base::LimitGuard& guard)
      : structure_(structure),
        model_(*structure.model),
        component_(model_.component(structure.component)),
        least_(least),
        guard_(guard),
        psi_(component_.plain_nodes().size()),
        result_(component_.plain_nodes().size(), false) {
    for (std::size_t l = 0; l < psi_.size(); ++l) {
      psi_[l] = structure.psi[l] >= least;
    }
    if (structure.op == logic::Op::EU) {  // ⌜χ⌝
      for (std::size_t l = 0; l < psi_.size(); ++l) {
        result_[l] = structure.chi[l] >= least;
      }
    } else {  // EG ⌜ψ⌝
      result_ = psi_;
      stay_forever();
    }
    leave();
    until();
  }

  bool holds(std::size_t l) const { return result_[l]; }

 private:
  model::NodeId node(std::size_t l) const { return component_.first_node + l; }
  std::size_t place(model::NodeId n) const { return n - component_.first_node; }
  bool is_plain(model::NodeId n) const { return n < component_.plain_end; }

  /// The greatest set of ⌜ψ⌝ locations from which a path stays in it, or ends in it.
  void stay_forever() {
    std::vector<std::uint32_t> open;
    const auto lose = [&](std::size_t l) {
      result_[l] = false;
      base::reserve_one_more(open, guard_);
      open.push_back(static_cast<std::uint32_t>(l));
    };
    const auto stays = [&](std::size_t l) {
      const std::span<const model::NodeId> next = model_.successors(node(l));
      guard_.tick(next.size() + 1);
      if (next.empty()) {
        return !model_.is_exit(node(l));
      }
      return std::any_of(next.begin(), next.end(),
                         [&](model::NodeId n) { return is_plain(n) && result_[place(n)]; });
    };
    for (std::size_t l = 0; l < result_.size(); ++l) {
      if (result_[l] && !stays(l)) {
        lose(l);
      }
    }
    while (!open.empty()) {
      const std::size_t lost = open.back();
      open.pop_back();
      for (const model::NodeId p : model_.predecessors(node(lost))) {
        if (is_plain(p) && result_[place(p)] && !stays(place(p))) {
          lose(place(p));
        }
      }
    }
  }

  /// ⌜ψ⌝ locations whose next state is a call or ω with ⌜ϕ⌝.
  void leave() {
    for (std::size_t l = 0; l < result_.size(); ++l) {
      if (!psi_[l] || result_[l]) {
        continue;
      }
      const std::span<const model::NodeId> next = model_.successors(node(l));
      guard_.tick(next.size() + 1);
      result_[l] = (model_.is_exit(node(l)) && structure_.omega >= least_) ||
                   std::any_of(next.begin(), next.end(), [&](model::NodeId n) {
                     return !is_plain(n) && structure_.labels[place(n)] >= least_;
                   });
    }
  }

  /// E ⌜ψ⌝ U what is found so far.
  void until() {
    std::vector<std::uint32_t> open;
    const auto add = [&](std::size_t l) {
      base::reserve_one_more(open, guard_);
      open.push_back(static_cast<std::uint32_t>(l));
    };
    for (std::size_t l = 0; l < result_.size(); ++l) {
      if (result_[l]) {
        add(l);
      }
    }
    while (!open.empty()) {
      const std::size_t l = open.back();
      open.pop_back();
      guard_.tick();
      for (const model::NodeId p : model_.predecessors(node(l))) {
        if (is_plain(p) && psi_[place(p)] && !result_[place(p)]) {
          result_[place(p)] = true;
          add(place(p));
        }
      }
    }
  }

  const AssociatedStructure& structure_;
  const model::Rsm& model_;
  const model::Component& component_;
  Ternary least_;
  base::LimitGuard& guard_;
  std::vector<bool> psi_;
  std::vector<bool> result_;
};

}  // namespace

std::vector<model::NodeId> deduce_labels(const AssociatedStructure& structure,
                                         base::LimitGuard& guard) {
  assert(structure.op == logic::Op::EG || structure.op == logic::Op::EU);
  const KripkeCheck surely(structure, Ternary::True, guard);  // ϕ_t ∨ E ⌜ψ⌝ U ⌜ϕ⌝
  const KripkeCheck possibly(structure, Ternary::Maybe, guard);  // ϕ_{t∨m} ∨ E … U (⌜ϕ⌝ ∨ ⌜ϕ?⌝)
  const model::Component& component = structure.model->component(structure.component);
  const std::size_t locations = component.plain_nodes().size();
  assert(structure.psi.size() >= locations && structure.labels.size() >= locations);
  std::vector<model::NodeId> found;
  for (std::size_t l = 0; l < locations; ++l) {
    assert(!surely.holds(l) || possibly.holds(l));
    if (structure.labels[l] != Ternary::Maybe || surely.holds(l) != possibly.holds(l)) {
      continue;
    }
    structure.labels[l] = ternary(surely.holds(l));
    base::reserve_one_more(found, guard);
    found.push_back(component.first_node + l);
  }
  return found;
}

bool all_successors_false(const AssociatedStructure& structure, FalseSuccessors& seen,
                          model::NodeId n, base::LimitGuard& guard) {
  if (seen.empty()) {
    guard.reserve(structure.labels.size() * sizeof(std::uint32_t));
    seen.assign(structure.labels.size(), 0);
  }
  const std::span<const model::NodeId> next = structure.model->successors(n);
  std::uint32_t& known = seen[structure.place(n)];
  while (known < next.size() && structure.labels[structure.place(next[known])] == Ternary::False) {
    guard.tick();
    ++known;
  }
  return known == next.size();
}

std::vector<model::NodeId> deduce_from_calls(const AssociatedStructure& structure,
                                             FalseSuccessors& seen,
                                             std::span<const model::NodeId> calls,
                                             base::LimitGuard& guard) {
  const model::Rsm& model = *structure.model;
  const model::NodeId plain_end = model.component(structure.component).plain_end;
  std::vector<model::NodeId> open(calls.begin(), calls.end());
  std::vector<model::NodeId> found;
  // ψ ∧ (some successor, or ω after the exit), for EU also χ ∨; Maybe if that is not known.
  const auto value_before = [&](model::NodeId before, Ternary successor) {
    const std::size_t l = structure.place(before);
    if (successor == Ternary::True) {
      return structure.psi[l] == Ternary::True ? Ternary::True : Ternary::Maybe;
    }
    const bool may_leave = model.is_exit(before) && structure.omega != Ternary::False;
    const bool may_hold = structure.op == logic::Op::EU && structure.chi[l] != Ternary::False;
    return !may_leave && !may_hold && all_successors_false(structure, seen, before, guard)
               ? Ternary::False
               : Ternary::Maybe;
  };
  while (!open.empty()) {
    const model::NodeId n = open.back();
    open.pop_back();
    const Ternary successor = structure.labels[structure.place(n)];
    assert(successor != Ternary::Maybe);
    for (const model::NodeId before : model.predecessors(n)) {
      guard.tick();
      if (!(before < plain_end) || structure.labels[structure.place(before)] != Ternary::Maybe) {
        continue;
      }
      const Ternary value = value_before(before, successor);
      if (value != Ternary::Maybe) {
        structure.labels[structure.place(before)] = value;
        base::reserve_one_more(open, guard);
        open.push_back(before);
        base::reserve_one_more(found, guard);
        found.push_back(before);
      }
    }
  }
  return found;
}

Ternary assumption_after(const model::Rsm& model, logic::Op op, std::span<const Ternary> values,
                         model::BoxId box) {
  const model::Box& call = model.box(box);
  const std::span<const model::NodeId> exits = model.exits(call.callee);
  assert(exits.size() <= 1);
  if (exits.empty()) {
    return Ternary::False;  // never asked
  }
  std::span<const model::NodeId> next;
  if (!call.return_nodes().empty()) {
    next = model.successors(call.first_return);
  }
  if (next.empty()) {  // the path ends at the exit, unless that goes on locally
    return ternary(op == logic::Op::EG && model.successors(exits.front()).empty());
  }
  const model::NodeId first = model.component(call.owner).first_node;
  Ternary any = Ternary::False;
  for (const model::NodeId n : next) {
    any = disjunction(any, values[n - first]);
  }
  return any;
}

}  // namespace nestor::engine::rks
