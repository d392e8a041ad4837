#pragma once

#include "base/limits.h"
#include "engine/finite/local_graph.h"
#include "engine/finite/subformula_sequence.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::finite {

/// The local algorithm of local_checker.cpp.
class LocalChecker {
 public:
  /// `seed`: with another one than 1, what is equally near is searched in another order.
  LocalChecker(LocalGraph& graph, const SubformulaSequence& sub, base::LimitGuard& guard,
               std::uint64_t seed = 1);

  /// True if `s` satisfies the subformula at place `i`. What is found out about other states is
  /// kept. Throws LimitReached; then the checker must not be asked again.
  bool holds(std::uint32_t i, model::NodeId s);

  /// True if it is known already.
  bool is_true(std::uint32_t i, model::NodeId s) const { return value(i, s) == Value::True; }
  /// After holds() has answered no to an AU: along these states, from `s` on, its right operand
  /// fails; in the last one its left operand fails, or nothing follows, or one of these.
  const std::vector<model::NodeId>& refutation() const { return refutation_; }

  std::size_t peak_stack() const { return peak_stack_; }

 private:
  enum class Value : std::uint8_t {
    Unknown,
    False,
    True,
    Open,     // met by the running search
    Expanded  // likewise, and its successors are met
  };
  struct Waiting {
    std::uint32_t distance = 0;
    std::uint32_t turn = 0;  // the larger the earlier, of those as near
    model::NodeId state;
  };

  Value value(std::uint32_t i, model::NodeId s) const;
  void set(std::uint32_t i, model::NodeId s, Value value);
  bool ex(std::uint32_t i, model::NodeId s);
  bool eu(std::uint32_t i, model::NodeId s);
  bool meets_goal(std::uint32_t i, model::NodeId s, std::vector<model::NodeId>& met,
                  std::vector<Waiting>& heap);
  void spread(std::uint32_t i, const std::vector<model::NodeId>& met);
  bool au(std::uint32_t i, model::NodeId s);
  std::vector<model::NodeId> successors(model::NodeId s);
  std::uint32_t distance(std::uint32_t i, bool wanted, model::NodeId s);
  std::uint32_t turn(model::NodeId s) const;

  LocalGraph& graph_;
  const SubformulaSequence& sub_;
  base::LimitGuard& guard_;
  std::uint64_t seed_;
  std::vector<bool> is_temporal_;           // by place in the sequence
  std::vector<std::vector<Value>> values_;  // of temporal operators, by place and state
  std::uint32_t searches_ = 0;              // that run, one within the other
  std::size_t peak_stack_ = 0;
  std::vector<model::NodeId> refutation_;  // of the outermost search
};

}  // namespace nestor::engine::finite
