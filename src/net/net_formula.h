#pragma once

#include "net/petri_net.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace nestor::net {

/// A sum of tokens, each place once and by place, is at most zero.
struct AtMostZero {
  struct Term {
    PlaceId place;
    std::int64_t factor = 0;

    friend auto operator<=>(const Term&, const Term&) = default;
  };
  std::vector<Term> terms;
  std::int64_t constant = 0;

  friend auto operator<=>(const AtMostZero&, const AtMostZero&) = default;
};

/// Sorts the terms and adds up those of one place.
AtMostZero at_most_zero(std::vector<AtMostZero::Term> terms, std::int64_t constant);
/// The sum is at least one.
AtMostZero negated(const AtMostZero& atom);

using NetNodeId = base::Id<struct NetNodeTag>;

/// Formulas about a net without negation, which is moved into the atoms; each formula once,
/// operands before the formulas they stand in. What is made is simplified by laws that hold with
/// maximal paths, docs/nets.md has them.
class NetFormulas {
 public:
  /// W is the weak until: `EW φ ψ` is true if φ holds all along some maximal path, or until ψ.
  enum class Op : std::uint8_t { True, False, Atom, Dead, Alive, And, Or, EX, AX, EU, AU, EW, AW };

  struct Node {
    Op op = Op::True;
    std::vector<NetNodeId> operands;
    std::uint32_t atom = 0;  ///< of Atom
    bool is_temporal = false;
    std::uint32_t depth = 1;
  };

  NetNodeId constant(bool value);
  NetNodeId atom(const AtMostZero& comparison);
  NetNodeId dead(bool is_dead);
  NetNodeId both(std::vector<NetNodeId> operands);
  NetNodeId either(std::vector<NetNodeId> operands);
  NetNodeId next(Op op, NetNodeId operand);
  NetNodeId until(Op op, NetNodeId left, NetNodeId right);
  /// The operator of `node` on other operands.
  NetNodeId again(const Node& node, std::vector<NetNodeId> operands);

  const Node& operator[](NetNodeId f) const { return nodes_[f]; }
  const AtMostZero& comparison(NetNodeId f) const { return atoms_[nodes_[f].atom]; }
  std::size_t size() const { return nodes_.size(); }
  /// `root` and what is below it, operands first.
  std::vector<NetNodeId> below(NetNodeId root) const;

 private:
  NetNodeId add(Op op, std::vector<NetNodeId> operands, std::uint32_t atom = 0);
  NetNodeId join(Op op, std::vector<NetNodeId> operands);

  base::IdVector<NetNodeId, Node> nodes_;
  std::vector<AtMostZero> atoms_;
  std::map<AtMostZero, std::uint32_t> known_atoms_;
  std::map<std::tuple<Op, std::vector<NetNodeId>, std::uint32_t>, NetNodeId> known_;
};

/// `root` with what is known of some subformulas put in: nothing where nothing is known.
NetNodeId replace(NetFormulas& formulas, NetNodeId root,
                  const std::function<std::optional<NetNodeId>(NetNodeId)>& known);

}  // namespace nestor::net
