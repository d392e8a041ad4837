#include "net/net_formula.h"

#include <algorithm>
#include <cassert>

namespace nestor::net {

using Op = NetFormulas::Op;

AtMostZero at_most_zero(std::vector<AtMostZero::Term> terms, std::int64_t constant) {
  std::ranges::sort(terms, {}, &AtMostZero::Term::place);
  AtMostZero result;
  result.constant = constant;
  for (const AtMostZero::Term& term : terms) {
    if (!result.terms.empty() && result.terms.back().place == term.place) {
      result.terms.back().factor += term.factor;
    } else {
      result.terms.push_back(term);
    }
  }
  std::erase_if(result.terms, [](const AtMostZero::Term& term) { return term.factor == 0; });
  return result;
}

AtMostZero negated(const AtMostZero& atom) {
  AtMostZero result;
  result.constant = 1 - atom.constant;
  for (const AtMostZero::Term& term : atom.terms) {
    result.terms.push_back({term.place, -term.factor});
  }
  return result;
}

NetNodeId NetFormulas::add(Op op, std::vector<NetNodeId> operands, std::uint32_t atom) {
  const auto [place, is_new] =
      known_.try_emplace({op, operands, atom}, NetNodeId(static_cast<std::uint32_t>(size())));
  if (is_new) {
    Node node{op, std::move(operands), atom, op >= Op::EX, 1};
    for (const NetNodeId f : node.operands) {
      node.is_temporal = node.is_temporal || nodes_[f].is_temporal;
      node.depth = std::max(node.depth, nodes_[f].depth + 1);
    }
    nodes_.push_back(std::move(node));
  }
  return place->second;
}

NetNodeId NetFormulas::constant(bool value) {
  return add(value ? Op::True : Op::False, {});
}

NetNodeId NetFormulas::dead(bool is_dead) {
  return add(is_dead ? Op::Dead : Op::Alive, {});
}

NetNodeId NetFormulas::atom(const AtMostZero& comparison) {
  const auto all = [&](bool positive) {
    return std::ranges::all_of(comparison.terms, [&](const AtMostZero::Term& term) {
      return positive ? term.factor > 0 : term.factor < 0;
    });
  };
  // Tokens are never less than none.
  if (all(true) && comparison.constant > 0) {
    return constant(false);
  }
  if (all(false) && comparison.constant <= 0) {
    return constant(true);
  }
  const auto [place, is_new] =
      known_atoms_.try_emplace(comparison, static_cast<std::uint32_t>(atoms_.size()));
  if (is_new) {
    atoms_.push_back(comparison);
  }
  return add(Op::Atom, {}, place->second);
}

NetNodeId NetFormulas::join(Op op, std::vector<NetNodeId> operands) {
  const Op neutral = op == Op::And ? Op::True : Op::False;
  const Op final = op == Op::And ? Op::False : Op::True;
  std::vector<NetNodeId> flat;
  for (const NetNodeId f : operands) {
    if (nodes_[f].op == op) {
      flat.insert(flat.end(), nodes_[f].operands.begin(), nodes_[f].operands.end());
    } else if (nodes_[f].op == final) {
      return f;
    } else if (nodes_[f].op != neutral) {
      flat.push_back(f);
    }
  }
  std::ranges::sort(flat);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return flat.empty()       ? constant(op == Op::And)
         : flat.size() == 1 ? flat.front()
                            : add(op, std::move(flat));
}

NetNodeId NetFormulas::both(std::vector<NetNodeId> operands) {
  return join(Op::And, std::move(operands));
}

NetNodeId NetFormulas::either(std::vector<NetNodeId> operands) {
  return join(Op::Or, std::move(operands));
}

NetNodeId NetFormulas::next(Op op, NetNodeId operand) {
  const Op inner = nodes_[operand].op;
  if (inner == Op::True) {
    return op == Op::EX ? dead(false) : operand;
  }
  if (inner == Op::False) {
    return op == Op::EX ? operand : dead(true);
  }
  return add(op, {operand});
}

// Each law is followed by the one for the negation. All of them are for maximal paths: from every
// state leads at least one.
NetNodeId NetFormulas::until(Op op, NetNodeId left, NetNodeId right) {
  const bool weak = op == Op::EW || op == Op::AW;
  const Op l = nodes_[left].op;
  const Op r = nodes_[right].op;
  if (r == Op::True || l == Op::False || left == right) {
    return right;
  }
  if (weak && l == Op::True) {
    return left;
  }
  if (!weak && r == Op::False) {
    return right;
  }
  const auto is = [&](NetNodeId f, Op wanted, Op side) {
    const Node& node = nodes_[f];
    return node.op == wanted && nodes_[node.operands[side == Op::True ? 0 : 1]].op == side;
  };
  if (!weak) {
    // E φ U EF ψ = EF ψ, A φ U EF ψ = EF ψ, A φ U AF ψ = AF ψ.
    if (is(right, Op::EU, Op::True) || (op == Op::AU && is(right, Op::AU, Op::True))) {
      return right;
    }
    // EF E φ U ψ = EF ψ, EF A φ U ψ = EF ψ; likewise AF A φ U ψ.
    if (l == Op::True &&
        ((op == Op::EU && (r == Op::EU || r == Op::AU)) || (op == Op::AU && r == Op::AU))) {
      return until(op, left, NetNodeId(nodes_[right].operands[1]));
    }
  }
  if (weak && r == Op::False) {
    // AG AG φ = AG φ, EG AG φ = AG φ, EG EG φ = EG φ.
    if (is(left, Op::AW, Op::False) || (op == Op::EW && is(left, Op::EW, Op::False))) {
      return left;
    }
    // AG A φ W ψ = AG (φ | ψ), AG E φ W ψ = AG (φ | ψ): what holds everywhere holds all along.
    if (op == Op::AW && (l == Op::AW || l == Op::EW)) {
      const std::vector<NetNodeId> sides = nodes_[left].operands;
      return until(op, either(sides), right);
    }
  }
  return add(op, {left, right});
}

NetNodeId NetFormulas::again(const Node& node, std::vector<NetNodeId> operands) {
  switch (node.op) {
    case Op::And:
    case Op::Or:
      return join(node.op, std::move(operands));
    case Op::EX:
    case Op::AX:
      return next(node.op, operands[0]);
    case Op::EU:
    case Op::AU:
    case Op::EW:
    case Op::AW:
      return until(node.op, operands[0], operands[1]);
    default:
      return add(node.op, {}, node.atom);
  }
}

std::vector<NetNodeId> NetFormulas::below(NetNodeId root) const {
  std::vector<bool> is_found(root.value() + 1);
  is_found[root.value()] = true;
  std::vector<NetNodeId> found = {root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const NetNodeId f : nodes_[found[i]].operands) {
      if (!is_found[f.value()]) {
        is_found[f.value()] = true;
        found.push_back(f);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

NetNodeId replace(NetFormulas& formulas, NetNodeId root,
                  const std::function<std::optional<NetNodeId>(NetNodeId)>& known) {
  std::map<NetNodeId, NetNodeId> now;
  for (const NetNodeId f : formulas.below(root)) {
    if (const std::optional<NetNodeId> other = known(f)) {
      now[f] = *other;
      continue;
    }
    const NetFormulas::Node node = formulas[f];
    std::vector<NetNodeId> operands;
    for (const NetNodeId g : node.operands) {
      operands.push_back(now.at(g));
    }
    now[f] = operands.empty() ? f : formulas.again(node, std::move(operands));
  }
  return now.at(root);
}

}  // namespace nestor::net
