#pragma once

#include "logic/formula.h"
#include "model/state.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::witness {

using EvidenceId = base::Id<struct EvidenceTag>;

/// A formula, as the user wrote it, and its value in some state.
struct Claim {
  logic::FormulaId formula;
  bool holds = true;

  friend bool operator==(const Claim&, const Claim&) = default;
};

/// Why a claim is true in a state. What it rests on is referred to, never repeated: evidence for
/// operands, whose formulas are smaller, or earlier evidence for the same claim in other states. So
/// each piece can be checked alone, and nothing rests on itself.
struct Evidence {
  enum class Kind : std::uint8_t {
    Fact,     ///< no temporal operator: the state's labels decide
    Form,     ///< constant whatever the operands are: `EF true`, `p | !p`
    Parts,    ///< a connective and the operands that decide it
    Next,     ///< one step and evidence after it
    Until,    ///< a path, evidence at its end, and along it
    Always,   ///< a path that ends in a dead end or loops, and evidence along it
    Path,     ///< likewise, of which a path formula is true, or false; LTL and CTL*
    All,      ///< about all paths, so that none can be shown
    Decided,  ///< what a formula within others is worth: not shown, to be decided again
  };
  enum class Ending : std::uint8_t {
    Here,     ///< Next, Until: what was looked for is true in the last state
    DeadEnd,  ///< Always, Path: the last state has no successor
    Loop,     ///< Always, Path: the last state is that at `loop` again, the stack possibly grown
    Joins,    ///< the last state is the one at `join_at` of `joins`, from where that goes on
  };

  Kind kind = Kind::Fact;
  Ending ending = Ending::Here;
  Claim claim;
  model::StateId state;
  std::vector<model::StateId> path;  ///< Next, Until, Always, Path: from `state` on
  std::vector<model::Step> steps;    ///< one fewer
  std::vector<EvidenceId> parts;     ///< Parts: of operands; Next, Until: at the end
  std::vector<EvidenceId> along;     ///< Until, Always: by place on the path, where it is temporal;
                                     ///< Path: all quantified formulas inside, place by place
  std::uint32_t loop = 0;
  EvidenceId joins;
  std::uint32_t join_at = 0;
};

/// The evidence for a verdict. A formula that fails does so in one initial state, one that holds
/// in each.
struct Witness {
  logic::FormulaId formula;
  bool holds = true;
  std::string engine;  ///< that found the values the evidence was read off
  /// How many fairness constraints the model has. With some, paths are fair: a loop satisfies each,
  /// and from a state that is reached a fair path goes on.
  std::uint32_t fairness = 0;
  model::StackTable stacks;
  base::IdVector<model::StateId, model::State> states;  ///< each once
  base::IdVector<EvidenceId, Evidence> evidence;
  std::vector<EvidenceId> roots;  ///< one an initial state
};

inline bool has_path(Evidence::Kind kind) {
  return kind >= Evidence::Kind::Next && kind <= Evidence::Kind::Path;
}

/// How many states at the beginning of its path need evidence for what is true along it. The last
/// one of a path that reaches its goal, joins another or closes a loop needs none.
inline std::size_t along_count(const Evidence& evidence) {
  return evidence.path.size() - (evidence.ending == Evidence::Ending::DeadEnd ? 0 : 1);
}

}  // namespace nestor::witness
