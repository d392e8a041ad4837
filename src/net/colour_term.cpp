#include "net/colour_term.h"

#include <algorithm>

namespace nestor::net {

namespace {

std::uint32_t single(const ColourTerm& term, const Binding& binding) {
  switch (term.kind) {
    case ColourTerm::Kind::Variable:
      return binding[term.number];
    case ColourTerm::Kind::Step: {
      const auto size = static_cast<std::uint32_t>(term.sort->names.size());
      return (single(term.operands[0], binding) + term.number) % size;
    }
    default:
      return term.number;
  }
}

ColourBag product(const ColourBag& left, const ColourBag& right) {
  ColourBag result;
  for (const auto& [a, m] : left) {
    for (const auto& [b, n] : right) {
      Colour both = a;
      both.insert(both.end(), b.begin(), b.end());
      result[both] += m * n;
    }
  }
  return result;
}

ColourBag all_of(const Sort& sort) {
  ColourBag result = {{{}, 1}};
  for (const Sort* part : sort.simple()) {
    ColourBag colours;
    for (std::uint32_t c = 0; c < part->names.size(); ++c) {
      colours[{c}] = 1;
    }
    result = product(result, colours);
  }
  return result;
}

}  // namespace

bool holds(const ColourTerm& guard, const Binding& binding) {
  const auto side = [&](std::size_t i) { return single(guard.operands[i], binding); };
  const auto here = [&](const ColourTerm& term) { return holds(term, binding); };
  switch (guard.kind) {
    case ColourTerm::Kind::And:
      return std::ranges::all_of(guard.operands, here);
    case ColourTerm::Kind::Or:
      return std::ranges::any_of(guard.operands, here);
    case ColourTerm::Kind::Not:
      return !here(guard.operands[0]);
    case ColourTerm::Kind::Implies:
      return !here(guard.operands[0]) || here(guard.operands[1]);
    case ColourTerm::Kind::Equal:
      return side(0) == side(1);
    case ColourTerm::Kind::NotEqual:
      return side(0) != side(1);
    case ColourTerm::Kind::Less:
      return side(0) < side(1);
    case ColourTerm::Kind::LessEqual:
      return side(0) <= side(1);
    case ColourTerm::Kind::Greater:
      return side(0) > side(1);
    case ColourTerm::Kind::GreaterEqual:
      return side(0) >= side(1);
    default:
      return true;
  }
}

ColourBag bag(const ColourTerm& term, const Binding& binding) {
  ColourBag result;
  const auto add = [&](const ColourBag& more, std::int64_t times) {
    for (const auto& [colour, count] : more) {
      result[colour] += times * count;
    }
  };
  switch (term.kind) {
    case ColourTerm::Kind::All:
      return all_of(*term.sort);
    case ColourTerm::Kind::Tuple:
      result = {{{}, 1}};
      for (const ColourTerm& operand : term.operands) {
        result = product(result, bag(operand, binding));
      }
      return result;
    case ColourTerm::Kind::Sum:
    case ColourTerm::Kind::Difference:
      for (std::size_t i = 0; i < term.operands.size(); ++i) {
        add(bag(term.operands[i], binding),
            term.kind == ColourTerm::Kind::Difference && i > 0 ? -1 : 1);
      }
      return result;
    case ColourTerm::Kind::Times:
      add(bag(term.operands[0], binding), term.number);
      return result;
    default:
      return {{{single(term, binding)}, 1}};
  }
}

void variables_in(const ColourTerm& term, std::set<std::uint32_t>& found) {
  if (term.kind == ColourTerm::Kind::Variable) {
    found.insert(term.number);
  }
  for (const ColourTerm& operand : term.operands) {
    variables_in(operand, found);
  }
}

}  // namespace nestor::net
