// The algorithm of Clarke, Emerson and Sistla (EMC), after
//   [Hel97] section 3.2.3, which is after
//   [CES86] E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of finite-state
//           concurrent systems using temporal logic specifications.  ACM Transactions on
//           Programming Languages and Systems 8(2), 1986.
//
//   report                           here
//   marked(s)                        marked_
//   recursive check of A(φ U ψ)      visit(), with the search path in stack_
//   recursive search of predecessors propagate()
//
// Deviations: no recursion. Where the report returns `false` to a caller that returns it in turn,
// the whole path is given up at once. A state without successors does not satisfy A(φ U ψ) unless
// it satisfies ψ.

#include "engine/finite/finite.h"
#include "engine/finite/finite_engine.h"
#include "engine/finite/global_checker.h"

#include <cassert>

namespace nestor::engine::finite {

namespace {

class EmcChecker final : public GlobalChecker {
 public:
  using GlobalChecker::GlobalChecker;

 private:
  struct Frame {
    model::NodeId s;
    std::uint32_t next = 0;  // successor to look at
  };

  std::size_t search_bytes() const override {
    return marked_.size() / 8 + stack_.capacity() * sizeof(Frame);
  }

  void au(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override {
    marked_ = base::BitSet(graph().size());
    for (const model::NodeId s : graph().states()) {
      if (!marked_.test(s.value())) {
        check_au(s, left, right, result);
      }
    }
  }

  /// Evaluates A(left U right) in `root` and every state that this leads to.
  void check_au(model::NodeId root, const base::BitSet& left, const base::BitSet& right,
                base::BitSet& result) {
    stack_.clear();
    if (!enter(root, left, right, result)) {
      return;
    }
    while (!stack_.empty()) {
      guard().tick();
      Frame& top = stack_.back();
      const auto next = graph().successors(top.s);
      if (top.next == next.size()) {
        if (next.empty()) {
          return;  // a dead end: every state on the path stays unlabelled
        }
        assert(left.test(top.s.value()) && !right.test(top.s.value()));
        result.set(top.s.value());  // all successors are fine
        stack_.pop_back();
        continue;
      }
      const model::NodeId t = next[top.next++];
      if (!marked_.test(t.value())) {
        if (enter(t, left, right, result)) {
          continue;
        }
      }
      // Known now, or on the path: a loop without ψ. An unlabelled state is a counterexample.
      if (!result.test(t.value())) {
        return;
      }
    }
  }

  /// Marks `s`. True if its successors must be looked at, which are then on the stack.
  bool enter(model::NodeId s, const base::BitSet& left, const base::BitSet& right,
             base::BitSet& result) {
    assert(!marked_.test(s.value()) && !result.test(s.value()));
    marked_.set(s.value());
    if (right.test(s.value())) {
      result.set(s.value());
      return false;
    }
    if (!left.test(s.value())) {
      return false;
    }
    base::reserve_one_more(stack_, guard());
    stack_.push_back({s, 0});
    note_stack(stack_.size());
    return true;
  }

  void eu(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override {
    for (const model::NodeId s : graph().states()) {
      guard().tick();
      if (right.test(s.value()) && result.insert(s.value())) {
        propagate(s, left, result);
      }
    }
  }

  /// Labels the predecessors that satisfy `left`, and theirs, depth first.
  void propagate(model::NodeId root, const base::BitSet& left, base::BitSet& result) {
    stack_.assign(1, {root, 0});
    while (!stack_.empty()) {
      guard().tick();
      Frame& top = stack_.back();
      assert(result.test(top.s.value()));
      const auto before = graph().predecessors(top.s);
      if (top.next == before.size()) {
        stack_.pop_back();
        continue;
      }
      const model::NodeId t = before[top.next++];
      if (left.test(t.value()) && result.insert(t.value())) {
        base::reserve_one_more(stack_, guard());
        stack_.push_back({t, 0});
        note_stack(stack_.size());
      }
    }
  }

  base::BitSet marked_;
  std::vector<Frame> stack_;
};

}  // namespace

std::unique_ptr<Engine> make_emc() {
  return make_global_engine<EmcChecker>("emc");
}

}  // namespace nestor::engine::finite
