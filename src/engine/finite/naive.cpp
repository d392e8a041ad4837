// The naive algorithm, after
//   [Hel97] section 3.2.2: rounds over all states until nothing changes.
//
//   report          here
//   labeled(s, f)   result
//   left, right     left, right
//
// Deviation: a state without successors is never labelled with A(φ U ψ) by its successors.

#include "engine/finite/finite.h"
#include "engine/finite/finite_engine.h"
#include "engine/finite/global_checker.h"

#include <algorithm>

namespace nestor::engine::finite {

namespace {

class NaiveChecker final : public GlobalChecker {
 public:
  using GlobalChecker::GlobalChecker;

 private:
  void au(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override {
    iterate(left, right, result, [&](model::NodeId s) {
      const auto next = graph().successors(s);
      return !next.empty() &&
             std::ranges::all_of(next, [&](model::NodeId t) { return result.test(t.value()); });
    });
  }
  void eu(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override {
    iterate(left, right, result, [&](model::NodeId s) {
      return std::ranges::any_of(graph().successors(s),
                                 [&](model::NodeId t) { return result.test(t.value()); });
    });
  }

  template <class GoingOn>
  void iterate(const base::BitSet& left, const base::BitSet& right, base::BitSet& result,
               GoingOn going_on) {
    result = right;
    for (bool changed = true; changed;) {  // at most |S| rounds
      changed = false;
      for (const model::NodeId s : graph().states()) {
        guard().tick(1 + graph().successors(s).size());
        if (result.test(s.value()) || !left.test(s.value())) {
          continue;
        }
        if (going_on(s)) {
          result.set(s.value());
          changed = true;
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<Engine> make_naive() {
  return make_global_engine<NaiveChecker>("naive");
}

}  // namespace nestor::engine::finite
