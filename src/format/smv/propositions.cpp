// Atoms of formulas as conditions on states.

#include "format/smv/parser.h"
#include "format/smv/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace nestor::smv {

namespace {
constexpr std::uint64_t kLargestTable = std::uint64_t{1} << 16;
}

void States::add_proposition(const std::string& atom, TermId term) {
  if (!propositions_.contains(atom)) {
    propositions_.emplace(atom, condition_of(term));
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

std::uint32_t States::condition_of(TermId term) const {
  const auto [place, is_new] =
      condition_of_term_.try_emplace(term.value(), static_cast<std::uint32_t>(conditions_.size()));
  if (!is_new) {
    return place->second;
  }
  Condition condition;
  condition.entry = compiler_->value(term, {});
  machine_->take_new_code();
  condition.only = only_variable(term);
  if (condition.only.valid()) {
    const std::uint64_t count =
        model().variables[condition.only].domain.count() + (model().recursive ? 1 : 0);
    if (count == 0 || count > kLargestTable) {
      condition.only = VariableId();
    } else {
      // 2: not evaluated yet. Evaluating may fail, so only what occurs is evaluated.
      condition.table.assign(static_cast<std::size_t>(count), 2);
    }
  }
  conditions_.push_back(std::move(condition));
  return place->second;
}

bool States::holds(std::uint32_t proposition, StateView state) const {
  Condition& condition = conditions_[proposition];
  std::uint8_t* known = nullptr;
  if (condition.only.valid()) {
    known =
        &condition.table[static_cast<std::size_t>(packed_index(fields_[condition.only], state))];
    if (*known != 2) {
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

bool States::holds(TermId condition, StateView state) const {
  return holds(condition_of(condition), state);
}

std::vector<std::string> States::propositions() const {
  std::vector<std::string> names;
  for (const LabelTerm& label : model().labels) {
    names.push_back(label.name);
  }
  return names;
}

TermId States::parse_condition(std::string_view text) {
  file_->atoms.push_back(Input::from_text("", text));
  TokenStream tokens(file_->atoms.back());
  ExpressionParser parser(tokens, file_->syntax);
  const ExprId expression = parser.expression();
  if (tokens.peek().kind != TokenKind::End) {
    tokens.fail_expected("the end of the proposition");
  }
  return resolve_condition(expression, InstanceId(0));
}

TermId States::resolve_condition(ExprId expression, InstanceId scope) {
  const TermId term = resolver().term(expression, scope);
  const Place at = file_->syntax[expression].at;
  resolver().build().expect_condition(term, "the proposition", at);
  if (model().terms[term].reads_next || model().terms[term].reads_input) {
    resolver().build().fail("a formula speaks of states, not of 'next', inputs or 'running'", at);
  }
  return term;
}

/// The atom is read as an expression in the outermost module: `state = s1`, `p0.readable`.
SuccessorFunction::Proposition States::find_proposition(std::string_view atom) {
  Proposition result;
  result.at = std::string(atom);
  if (const auto place = propositions_.find(std::string(atom)); place != propositions_.end()) {
    result.number = place->second;
    return result;
  }
  try {
    const TermId term = parse_condition(atom);
    add_proposition(std::string(atom), term);
    result.number = propositions_.at(std::string(atom));
    conditions_[*result.number].text = std::string(atom);
  } catch (const Error& error) {
    result.problem = error.message();
  }
  return result;
}

}  // namespace nestor::smv
