#include "net/formula_parts.h"

#include <algorithm>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;

/// The markings after one firing, each once; nothing if there are more than `most`, or none.
std::optional<std::vector<std::vector<std::uint32_t>>> successors(const PetriNet& net,
                                                                  std::size_t most) {
  std::vector<std::vector<std::uint32_t>> found;
  for (const TransitionId t : net.transitions()) {
    const PetriNet::Transition& transition = net.transition(t);
    const bool is_enabled = std::ranges::all_of(transition.inputs, [&](const auto& arc) {
      return net.place(arc.place).tokens >= arc.weight;
    });
    if (!is_enabled) {
      continue;
    }
    std::vector<std::uint32_t> tokens;
    for (const PlaceId p : net.places()) {
      tokens.push_back(net.place(p).tokens);
    }
    for (const PetriNet::Arc& arc : transition.inputs) {
      tokens[arc.place.value()] -= arc.weight;
    }
    for (const PetriNet::Arc& arc : transition.outputs) {
      if (tokens[arc.place.value()] > PetriNet::kMostTokens - arc.weight) {
        return std::nullopt;
      }
      tokens[arc.place.value()] += arc.weight;
    }
    if (std::ranges::find(found, tokens) == found.end()) {
      found.push_back(std::move(tokens));
    }
    if (found.size() > most) {
      return std::nullopt;
    }
  }
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

/// A formula below EF or AG with that operator before it.
NetNodeId always_or_some_time(NetFormulas& formulas, bool always, NetNodeId f) {
  return always ? formulas.until(Op::AW, f, formulas.constant(false))
                : formulas.until(Op::EU, formulas.constant(true), f);
}

}  // namespace

// match: φ ∧ ψ, φ ∨ ψ          result: its operands
// match: EX φ, AX φ            result: φ in some, in all successors
// match: EF (φ ∨ ψ)            result: EF φ or EF ψ        and AG (φ ∧ ψ)
// match: EF EX φ = EX EF φ     result: EF φ in some successor; also AG AX φ = AX AG φ
std::optional<FormulaParts> parts_of(NetFormulas& formulas, NetNodeId root, const PetriNet& net,
                                     std::size_t most) {
  FormulaParts parts;
  const NetFormulas::Node node = formulas[root];
  const auto has_constant = [&](std::size_t side, Op value) {
    return formulas[NetNodeId(node.operands[side])].op == value;
  };
  const bool is_ef = node.op == Op::EU && has_constant(0, Op::True);
  const bool is_ag = node.op == Op::AW && has_constant(1, Op::False);
  if (node.op == Op::And || node.op == Op::Or) {
    parts.needs_all = node.op == Op::And;
    parts.formulas = node.operands;
  } else if (node.op == Op::EX || node.op == Op::AX) {
    parts.needs_all = node.op == Op::AX;
    parts.next = node.operands[0];
  } else if (is_ef || is_ag) {
    const NetFormulas::Node below = formulas[NetNodeId(node.operands[is_ef ? 1 : 0])];
    parts.needs_all = is_ag;
    if (below.op == (is_ef ? Op::Or : Op::And) && below.is_temporal) {
      std::vector<NetNodeId> plain;  // without temporal operators: one question
      for (const NetNodeId f : below.operands) {
        if (formulas[f].is_temporal) {
          parts.formulas.push_back(always_or_some_time(formulas, is_ag, f));
        } else {
          plain.push_back(f);
        }
      }
      if (!plain.empty()) {
        parts.formulas.push_back(always_or_some_time(
            formulas, is_ag, is_ag ? formulas.both(plain) : formulas.either(plain)));
      }
    } else if (below.op == (is_ef ? Op::EX : Op::AX)) {
      parts.next = always_or_some_time(formulas, is_ag, below.operands[0]);
    }
  }
  if (parts.next.valid()) {
    auto starts = successors(net, most);
    if (!starts) {
      return std::nullopt;
    }
    parts.starts = std::move(*starts);
  }
  return parts.size() == 0 || parts.size() > most ? std::nullopt : std::optional(std::move(parts));
}

}  // namespace nestor::net
