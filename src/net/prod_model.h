#pragma once

#include "base/input.h"
#include "net/prod_names.h"
#include "net/prod_parser.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace nestor::net {

/// A set of variables of a transition, a bit each.
using ProdVariables = std::uint64_t;

/// An input of a transition, with what binding it needs to know.
struct ProdInput {
  const ProdNet::Pattern* pattern = nullptr;
  ProdVariables needs = 0;  ///< every variable in it
  ProdVariables gives = 0;  ///< those that get their value from the tuple that is chosen
  std::vector<ProdVariables> fields = {};  ///< by field: the variables in it
};

/// A transition with its variables sorted out.
struct ProdTransition {
  const ProdNet::Transition* transition = nullptr;
  std::vector<ProdInput> inputs;
  std::vector<ProdVariables> comp;   ///< by assignment: what it needs of the inputs
  std::vector<ProdVariables> gates;  ///< by gate: what it needs
  /// A variable is computed more than once: then all of them are computed together.
  bool computes_again = false;
};

/// A net that was read, prepared for binding. Unchanging, for any number of ProdStates.
class ProdModel {
 public:
  /// Throws Error for a variable that can get no value.
  explicit ProdModel(const base::Input& input);
  ProdModel(const ProdModel&) = delete;
  ProdModel& operator=(const ProdModel&) = delete;

  const ProdNet& net() const { return net_; }
  const ProdNames& names() const { return names_; }
  const std::vector<ProdTransition>& transitions() const { return transitions_; }
  [[noreturn]] void fail(std::size_t at, const std::string& message,
                         base::Error::Kind kind = base::Error::Kind::Input) const;

 private:
  ProdTransition prepare(const ProdNet::Transition& transition) const;
  /// Throws Error for the first variable that is not in `known`.
  void demand(const ProdExpression& expression, ProdVariables known,
              const ProdTransition& transition) const;

  base::Input input_;  // a copy, for messages
  ProdNet net_;
  ProdNames names_;
  std::vector<ProdTransition> transitions_;
};

}  // namespace nestor::net
