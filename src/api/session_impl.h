#pragma once

#include "api/formula_access.h"
#include "session/session.h"

#include <nestor/check.h>

namespace nestor {

struct Session::Impl {
  Impl(Model about, Settings settings);

  Model model;
  session::Session session;
  std::vector<Formula> formulas;  // by question
  FormulaAccess::Known known;
};

struct Labelling::Impl {
  std::shared_ptr<const Session::Impl> session;  // keeps machine and pool
  std::shared_ptr<const explain::Labelling> labelling;
  std::size_t question = 0;
};

struct Witness::Impl {
  std::shared_ptr<const Session::Impl> session;
  std::shared_ptr<const witness::Witness> witness;
  std::size_t question = 0;
};

class WitnessAccess {
 public:
  static Witness make(Witness::Impl impl) {
    return Witness(std::make_shared<const Witness::Impl>(std::move(impl)));
  }
};

}  // namespace nestor
