// Sets of values and what chooses between values: `in`, `union`, ranges, `case`.

#include "smv/terms/term_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {
constexpr std::int64_t kLargestSet = std::int64_t{1} << 20;
constexpr std::size_t kMostIncluded = 1 << 12;  // elements on the left of `in`
}  // namespace

TermId TermBuilder::membership(TermId element, TermId set, Place at) {
  if (terms_[element].several) {  // a subset of the right operand
    return inclusion(element, set, at);
  }
  common(terms_[element].type, terms_[set].type, "operator 'in'", at);
  const Term& s = terms_[set];
  if (s.op == Op::ConstantSet) {
    if (is_constant(element)) {
      const std::span<const std::int64_t> values = terms_.set(s.value);
      return constant(
          std::binary_search(values.begin(), values.end(), terms_[element].value) ? 1 : 0, kBoolean,
          at);
    }
    return make(Op::InSet, kBoolean, {element}, at, s.value);
  }
  if (!s.several) {
    return make(Op::Equal, kBoolean, {element, set}, at);
  }
  if (s.op != Op::Union) {
    fail("the right operand of 'in' is not supported, expected a set of expressions", at,
         base::Error::Kind::Unsupported);
  }
  const std::span<const TermId> parts = terms_.operands(set);
  const std::vector<TermId> elements(parts.begin(), parts.end());
  TermId result = constant(0, kBoolean, at);
  for (const TermId part : elements) {
    // A union's operands are scalars or constant sets: choice() flattens nested ones.
    const TermId one = terms_[part].op == Op::ConstantSet
                           ? make(Op::InSet, kBoolean, {element}, at, terms_[part].value)
                           : make(Op::Equal, kBoolean, {element, part}, at);
    result = logical(Syntax::Or, result, one, at);
  }
  return result;
}

TermId TermBuilder::inclusion(TermId part, TermId whole, Place at) {
  std::vector<TermId> elements;
  const auto add_constants = [&](TermId t) {
    for (const std::int64_t value : terms_.set(terms_[t].value)) {
      elements.push_back(constant(value, terms_[t].type, at));
    }
  };
  if (terms_[part].op == Op::ConstantSet) {
    add_constants(part);
  } else if (terms_[part].op == Op::Union) {
    const std::span<const TermId> operands = terms_.operands(part);
    for (const TermId t : std::vector<TermId>(operands.begin(), operands.end())) {
      if (terms_[t].op == Op::ConstantSet) {
        add_constants(t);
      } else {
        elements.push_back(t);
      }
    }
  }
  if (elements.empty() || elements.size() > kMostIncluded) {
    fail("the left operand of 'in' is not supported, expected a value or a set of expressions", at,
         base::Error::Kind::Unsupported);
  }
  TermId result = constant(1, kBoolean, at);
  for (const TermId element : elements) {
    expect_single(element, "an element of the left operand of 'in'", at);
    result = logical(Syntax::And, result, membership(element, whole, at), at);
  }
  return result;
}

TermId TermBuilder::choice(const std::vector<TermId>& operands, Place at) {
  Type type = terms_[operands.front()].type;
  std::vector<std::int64_t> constants;
  std::vector<TermId> others;
  for (const TermId operand : operands) {
    const Term& t = terms_[operand];
    type = common(type, t.type, "a set", t.at == 0 ? at : t.at);
    if (t.op == Op::Constant) {
      constants.push_back(t.value);
    } else if (t.op == Op::ConstantSet) {
      const std::span<const std::int64_t> values = terms_.set(t.value);
      constants.insert(constants.end(), values.begin(), values.end());
    } else if (t.op == Op::Union) {
      const std::span<const TermId> parts = terms_.operands(operand);
      others.insert(others.end(), parts.begin(), parts.end());
    } else {
      others.push_back(operand);
    }
  }
  std::sort(constants.begin(), constants.end());
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
  if (others.empty() && constants.size() == 1) {
    return constant(constants.front(), type, at);
  }
  if (!constants.empty()) {
    const std::uint32_t set = terms_.add_set(std::move(constants));
    const TermId part = make(Op::ConstantSet, type, {}, at, set);
    if (others.empty()) {
      return part;
    }
    others.push_back(part);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others.size() == 1 ? others.front() : make(Op::Union, type, others, at);
}

TermId TermBuilder::range(TermId low, TermId high, Place at) {
  const std::int64_t first = constant_number(low, "a constant number as lower bound", at);
  const std::int64_t last = constant_number(high, "a constant number as upper bound", at);
  if (first > last) {
    fail(fmt::format("the range {}..{} is empty", first, last), at);
  }
  if (last - first >= kLargestSet) {
    fail(fmt::format("the set {}..{} has more than {} elements", first, last, kLargestSet), at,
         base::Error::Kind::Unsupported);
  }
  if (first == last) {
    return low;
  }
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value <= last; ++value) {
    values.push_back(value);
  }
  return make(Op::ConstantSet, kNumber, {}, at, terms_.add_set(std::move(values)));
}

TermId TermBuilder::case_of(std::vector<TermId> branches, Place at) {
  std::vector<TermId> kept;
  Type type = terms_[branches[1]].type;
  for (std::size_t i = 0; i < branches.size(); i += 2) {
    branches[i] = as_boolean(branches[i]);
    const TermId condition = branches[i];
    const TermId value = branches[i + 1];
    expect_condition(condition, "the condition of the case", at);
    type = common(type, terms_[value].type, "the values of the case", at);
  }
  for (std::size_t i = 0; i < branches.size(); i += 2) {
    if (is_constant(branches[i], false)) {
      continue;
    }
    kept.push_back(branches[i]);
    kept.push_back(branches[i + 1]);
    if (is_constant(branches[i], true)) {
      break;
    }
  }
  if (kept.size() == 2 && is_constant(kept[0], true)) {
    return kept[1];
  }
  return make(Op::Case, type, kept, at);
}

}  // namespace nestor::smv
