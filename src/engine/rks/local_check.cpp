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
  KripkeCheck(const AssociatedStructure& structure, logic::Op op, Ternary least,
              base::LimitGuard& guard)
      : structure_(structure),
        component_(structure.model.component(structure.component)),
        least_(least),
        guard_(guard),
        psi_(component_.plain_nodes().size()),
        result_(component_.plain_nodes().size(), false) {
    for (std::size_t l = 0; l < psi_.size(); ++l) {
      psi_[l] = structure.psi[l] >= least;
    }
    if (op == logic::Op::EU) {  // ⌜χ⌝
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
      const std::span<const model::NodeId> next = structure_.model.successors(node(l));
      guard_.tick(next.size() + 1);
      if (next.empty()) {
        return !structure_.model.is_exit(node(l));
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
      for (const model::NodeId p : structure_.model.predecessors(node(lost))) {
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
      const std::span<const model::NodeId> next = structure_.model.successors(node(l));
      guard_.tick(next.size() + 1);
      result_[l] = (structure_.model.is_exit(node(l)) && structure_.omega >= least_) ||
                   std::any_of(next.begin(), next.end(), [&](model::NodeId n) {
                     return !is_plain(n) && structure_.phi[place(n)] >= least_;
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
      for (const model::NodeId p : structure_.model.predecessors(node(l))) {
        if (is_plain(p) && psi_[place(p)] && !result_[place(p)]) {
          result_[place(p)] = true;
          add(place(p));
        }
      }
    }
  }

  const AssociatedStructure& structure_;
  const model::Component& component_;
  Ternary least_;
  base::LimitGuard& guard_;
  std::vector<bool> psi_;
  std::vector<bool> result_;
};

}  // namespace

bool deduce_labels(const AssociatedStructure& structure, logic::Op op, std::span<Ternary> labels,
                   base::LimitGuard& guard) {
  const KripkeCheck surely(structure, op, Ternary::True, guard);  // ϕ_t ∨ E ⌜ψ⌝ U ⌜ϕ⌝
  const KripkeCheck possibly(structure, op, Ternary::Maybe, guard);  // ϕ_{t∨m} ∨ E … U (⌜ϕ⌝ ∨ ⌜ϕ?⌝)
  assert(op == logic::Op::EG || op == logic::Op::EU);
  bool changed = false;
  const std::size_t locations = structure.model.component(structure.component).plain_nodes().size();
  assert(structure.psi.size() >= locations && labels.size() >= locations);
  for (std::size_t l = 0; l < locations; ++l) {
    assert(!surely.holds(l) || possibly.holds(l));
    if (labels[l] != Ternary::Maybe) {
      continue;
    }
    if (surely.holds(l)) {
      labels[l] = Ternary::True;
      changed = true;
    } else if (!possibly.holds(l)) {
      labels[l] = Ternary::False;
      changed = true;
    }
  }
  return changed;
}

}  // namespace nestor::engine::rks
