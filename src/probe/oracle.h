#pragma once

#include "probe/configuration.h"
#include "session/session.h"

#include <map>
#include <memory>

namespace nestor::probe {

/// Says which formulas hold in a state that can be reached. Each is labelled once. Paths end in
/// dead ends, whatever they mean elsewhere: who walks sees them end.
class Oracle {
 public:
  /// The session is about its model already.
  explicit Oracle(session::Session& session) : session_(session) {}

  bool is_finite() const { return session_.subject().machine().box_count() == 0; }
  /// Throws LimitReached.
  bool holds(logic::FormulaId formula, const Configuration& state);

 private:
  /// Where the values of a formula are.
  struct Values {
    std::shared_ptr<const explain::Labelling> labelling;
    std::size_t place = 0;  // among its subformulas
  };
  const Values& values(logic::FormulaId formula);

  session::Session& session_;
  std::map<logic::FormulaId, Values> values_;
};

}  // namespace nestor::probe
