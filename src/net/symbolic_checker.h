#pragma once

#include "base/limits.h"
#include "logic/simplifier.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

#include <memory>
#include <string>

namespace nestor::net {

/// Labels the markings of one net by sets of them. One call at a time.
class SymbolicChecker final : public logic::StateSets {
 public:
  explicit SymbolicChecker(PetriNet net);
  ~SymbolicChecker() override;
  SymbolicChecker(const SymbolicChecker&) = delete;
  SymbolicChecker& operator=(const SymbolicChecker&) = delete;

  void explore(const base::Limits& limits) override;
  /// The value of `root` in the initial marking. Throws LimitReached.
  bool holds(const NetFormulas& formulas, NetNodeId root, const base::Limits& limits);

 private:
  struct Markings;

  PetriNet net_;
  std::unique_ptr<Markings> markings_;
  std::string reason_;  // why not all are found
};

}  // namespace nestor::net
