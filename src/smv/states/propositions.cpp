// Atoms of formulas as conditions on states.

#include "smv/states/states.h"
#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <unordered_set>

namespace nestor::smv {

namespace {
constexpr std::uint64_t kLargestTable = std::uint64_t{1} << 16;
constexpr std::uint8_t kNotEvaluated = 2;  // evaluating may fail, so only what occurs is evaluated
constexpr const char* kOfSteps =
    "this formula speaks of states, not of 'next', inputs or 'running': those only stand in one "
    "about all paths, without further quantifiers (LTL)";
}  // namespace

void States::add_proposition(const std::string& atom, TermId term) {
  if (speaks_of_steps(term)) {
    step_terms_.try_emplace(atom, StepTerm{term, !is_reading_});
  } else if (!propositions_.contains(atom)) {
    propositions_.emplace(atom, number_of(term));
  }
}

/// The variable that the term reads, if it is only one.
VariableId States::only_variable(TermId term) const {
  VariableId only;
  std::unordered_set<std::uint32_t> seen{term.value()};
  std::vector<TermId> open{term};
  while (!open.empty()) {
    const TermId top = open.back();
    open.pop_back();
    const Term& t = model().terms[top];
    if (t.op == Op::Variable) {
      const VariableId v(static_cast<std::size_t>(t.value));
      if (only.valid() && only != v) {
        return VariableId();
      }
      only = v;
    }
    for (const TermId operand : model().terms.operands(top)) {
      if (seen.insert(operand.value()).second) {
        open.push_back(operand);
      }
    }
  }
  return only;
}

/// The indices a variable can have: one more for EXIT in a recursive module. 0 means 2^64.
std::uint64_t States::index_count(VariableId v) const {
  return model().variables[v].domain.count() + (model().recursive ? 1 : 0);
}

/// Nothing if the variable never has the value.
std::optional<std::uint64_t> States::index_of(VariableId v, std::int64_t value) const {
  const Domain& domain = model().variables[v].domain;
  return model().recursive && value == kExit ? domain.count() : domain.index(value);
}

/// With which values of `v`, the only variable that it reads, the condition holds: of `v` itself,
/// `v = constant`, `v in {constants}` and disjunctions of these. Nothing for other conditions.
std::optional<std::vector<std::uint64_t>> States::indices_where(TermId term, VariableId v) const {
  const TermPool& terms = model().terms;
  std::vector<std::uint64_t> indices;
  const auto add = [&](std::int64_t value) {
    if (const std::optional<std::uint64_t> index = index_of(v, value)) {
      indices.push_back(*index);
    }
  };
  std::vector<TermId> open{term};
  while (!open.empty()) {
    const TermId t = open.back();
    open.pop_back();
    const std::span<const TermId> operands = terms.operands(t);
    const auto is = [&](std::size_t operand, Op op) { return terms[operands[operand]].op == op; };
    if (terms[t].op == Op::Or) {
      open.insert(open.end(), operands.begin(), operands.end());
    } else if (terms[t].op == Op::Variable && !model().recursive) {
      add(1);  // TRUE; where it may be EXIT, looking at it may fail
    } else if (terms[t].op == Op::InSet && is(0, Op::Variable)) {
      for (const std::int64_t value : terms.set(terms[t].value)) {
        add(value);
      }
    } else if (terms[t].op == Op::Equal && is(0, Op::Variable) && is(1, Op::Constant)) {
      add(terms[operands[1]].value);
    } else if (terms[t].op == Op::Equal && is(1, Op::Variable) && is(0, Op::Constant)) {
      add(terms[operands[0]].value);
    } else {
      return std::nullopt;
    }
  }
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

std::uint32_t States::number_of(TermId term) {
  const auto [place, is_new] =
      condition_of_term_.try_emplace(term.value(), static_cast<std::uint32_t>(conditions_.size()));
  if (!is_new) {
    return place->second;
  }
  Condition condition;
  condition.entry = compiler_->value(term, {});
  machine_->take_new_code();
  condition.only = only_variable(term);
  if (condition.only.valid() && is_wide(model().variables[condition.only].type)) {
    condition.only = VariableId();  // too many values to have numbers
  }
  if (condition.only.valid()) {
    condition.holds_at = indices_where(term, condition.only);
    const std::uint64_t count = index_count(condition.only);
    if (!condition.holds_at && count != 0 && count <= kLargestTable) {
      condition.table.assign(static_cast<std::size_t>(count), kNotEvaluated);
    }
  }
  conditions_.push_back(std::move(condition));
  return place->second;
}

std::optional<model::SuccessorFunction::Key> States::key(std::uint32_t proposition) const {
  const Condition& condition = conditions_[proposition];
  if (!condition.only.valid() || index_count(condition.only) == 0) {
    return std::nullopt;
  }
  Key key{condition.only.value(), index_count(condition.only), std::nullopt};
  if (condition.holds_at) {
    key.holds_at = *condition.holds_at;
  }
  return key;
}

std::uint64_t States::part(std::uint32_t part, base::StateView state) const {
  return packed_index(fields_[VariableId(part)], state);
}

bool States::holds(std::uint32_t proposition, base::StateView state) const {
  Condition& condition = conditions_[proposition];
  std::uint8_t* known = nullptr;
  if (condition.holds_at) {
    return std::ranges::binary_search(*condition.holds_at,
                                      packed_index(fields_[condition.only], state));
  }
  if (!condition.table.empty()) {
    known =
        &condition.table[static_cast<std::size_t>(packed_index(fields_[condition.only], state))];
    if (*known != kNotEvaluated) {
      return *known == 1;
    }
  }
  load(state);
  try {
    const bool value = machine_->holds(condition.entry);
    if (known != nullptr) {
      *known = value ? 1 : 0;
    }
    return value;
  } catch (const EvaluationFailed& failed) {
    refuse(failed, condition.text);
  }
}

std::vector<std::string> States::propositions() const {
  std::vector<std::string> names;
  for (const LabelTerm& label : model().labels) {
    names.push_back(label.name);
  }
  return names;
}

TermId States::parse_condition(std::string_view text) {
  file_->atoms.push_back(base::Input::from_text("", text));
  TokenStream tokens(file_->atoms.back());
  ExpressionParser parser(tokens, file_->syntax);
  const ExprId expression = parser.expression();
  if (tokens.peek().kind != TokenKind::End) {
    tokens.fail_expected("the end of the proposition");
  }
  return resolve_step_condition(expression, InstanceId(0));
}

TermId States::resolve_step_condition(ExprId expression, InstanceId scope) {
  const TermId term = resolver().term(expression, scope);
  resolver().build().expect_condition(term, "the proposition", file_->syntax[expression].at);
  return term;
}

TermId States::resolve_condition(ExprId expression, InstanceId scope) {
  const TermId term = resolve_step_condition(expression, scope);
  if (speaks_of_steps(term)) {
    resolver().build().fail(kOfSteps, file_->syntax[expression].at, base::Error::Kind::Unsupported);
  }
  return term;
}

/// The atom is read as an expression in the outermost module: `state = s1`, `p0.readable`.
model::SuccessorFunction::Proposition States::find_proposition(std::string_view atom) {
  Proposition result;
  result.at = std::string(atom);
  if (const auto place = propositions_.find(std::string(atom)); place != propositions_.end()) {
    result.number = place->second;
    return result;
  }
  if (step_terms_.contains(result.at)) {
    result.problem = kOfSteps;
    return result;
  }
  if (is_reading_) {  // what is left of that atom must not become part of another one
    throw std::bad_alloc();
  }
  is_reading_ = true;
  try {
    const TermId term = parse_condition(atom);
    if (speaks_of_steps(term) && model().recursive) {
      throw base::Error(base::Error::Kind::Unsupported, kOfSteps);
    }
    add_proposition(std::string(atom), term);
    if (speaks_of_steps(term)) {
      result.problem = kOfSteps;
    } else {
      result.number = propositions_.at(std::string(atom));
      conditions_[*result.number].text = std::string(atom);
    }
  } catch (const base::Error& error) {
    result.problem = error.message();
  }
  is_reading_ = false;
  return result;
}

}  // namespace nestor::smv
