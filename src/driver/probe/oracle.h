#pragma once

#include "driver/probe/configuration.h"
#include "session/session.h"

#include <map>
#include <memory>

namespace nestor {

/// Says which formulas hold in a state that can be reached. Each is labelled once.
class Oracle {
 public:
  /// The session is about its model already.
  explicit Oracle(Session& session) : session_(session) {}

  bool is_finite() const { return session_.subject().machine().box_count() == 0; }
  /// Throws LimitReached.
  bool holds(FormulaId formula, const Configuration& state);

 private:
  /// Where the values of a formula are.
  struct Values {
    std::shared_ptr<const Labelling> labelling;
    std::size_t place = 0;  // among its subformulas
  };
  const Values& values(FormulaId formula);

  Session& session_;
  std::map<FormulaId, Values> values_;
};

}  // namespace nestor
