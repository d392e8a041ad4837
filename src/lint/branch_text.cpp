#include "lint/branch_text.h"

#include "lint/names.h"
#include "program/number_set.h"
#include "program/relevance.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

using program::Action;
using program::Relation;
using program::Value;

constexpr int kDeepest = 4;  // what is longer nobody reads

std::string_view words(Relation relation) {
  switch (relation) {
    case Relation::Equal:
      return "is";
    case Relation::NotEqual:
      return "is not";
    case Relation::Less:
      return "is less than";
    case Relation::LessEqual:
      return "is at most";
    case Relation::Greater:
      return "is more than";
    case Relation::GreaterEqual:
      return "is at least";
  }
  return "is";
}

std::string_view sign(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::Add:
      return "+";
    case Value::Kind::Subtract:
      return "-";
    case Value::Kind::And:
      return "&";
    case Value::Kind::Or:
      return "|";
    default:
      return "^";
  }
}

bool is_truth(Relation relation, std::int64_t number) {
  return number == 0 && (relation == Relation::Equal || relation == Relation::NotEqual);
}

}  // namespace

BranchText::BranchText(const program::Program& program, const program::Function& function)
    : program_(program), function_(function) {
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const Action* action = function.action_of(p);
    if (action != nullptr && action->result.valid() &&
        !binders_.try_emplace(action->result.value(), p).second) {
      chosen_.insert(action->result.value());
    }
  }
}

program::ValueId BranchText::without_casts(program::ValueId value) const {
  for (;;) {
    const Value& term = function_.values[value];
    if (term.kind != Value::Kind::SignExtend && term.kind != Value::Kind::ZeroExtend &&
        term.kind != Value::Kind::Truncate) {
      return value;
    }
    value = term.left;
  }
}

program::ValueId BranchText::without_steps(program::ValueId address) const {
  while (address.valid() && (function_.values[address].kind == Value::Kind::Step ||
                             function_.values[address].kind == Value::Kind::Inside)) {
    address = function_.values[address].left;
  }
  return address;
}

/// The variable that the value was read from; not valid if it was not.
program::VariableId BranchText::read_location(program::ValueId value) const {
  const auto binder = value.valid() ? binders_.find(value.value()) : binders_.end();
  const bool is_read =
      binder != binders_.end() && function_.action_of(binder->second)->kind == Action::Kind::Read;
  return is_read ? program::location_of(function_.points[binder->second]) : program::VariableId();
}

std::optional<BranchText::Subject> BranchText::place_of(const program::Point& point,
                                                        const Action& access, int depth) const {
  const program::VariableId location = program::location_of(point);
  if (!location.valid()) {
    return std::nullopt;
  }
  const program::Variable& variable = program_.variables[location];
  const std::string_view name = short_name(program_.text(variable.name));
  Subject subject;
  subject.is_character = access.bits == 8;
  if (variable.kind == program::VariableKind::Local ||
      variable.kind == program::VariableKind::Global) {
    if (variable.is_artificial && name != "this") {
      return std::nullopt;
    }
    subject.text = name;
    if (!variable.is_scalar) {  // which part of it is not known
      const bool is_element =
          access.address.valid() && function_.values[access.address].kind == Value::Kind::Inside;
      subject.text += is_element ? "[…]" : ".…";
    }
    return subject;
  }
  // A field, or what a pointer leads to: of which object?
  const program::ValueId base = without_steps(access.address);
  std::optional<Subject> of = base.valid() ? subject_of(base, depth + 1) : std::nullopt;
  if (of && of->is_call) {
    of.reset();
  }
  const bool is_variable = base.valid() && function_.values[base].kind == Value::Kind::Address;
  if (variable.kind == program::VariableKind::Field) {
    const std::string_view field = name.substr(name.rfind('.') + 1);
    if (!of) {
      subject.text = std::string(field);
    } else if (is_variable) {
      subject.text = fmt::format("{}.{}", of->text.substr(1), field);
    } else {
      subject.text = fmt::format("{}->{}", of->text, field);
    }
    return subject;
  }
  if (!of || is_variable) {
    return std::nullopt;
  }
  const bool is_start = function_.values[access.address].kind == Value::Kind::Bound;
  subject.text = is_start ? "*" + of->text : of->text + "[…]";
  return subject;
}

std::optional<BranchText::Subject> BranchText::subject_of(program::ValueId value, int depth) const {
  if (depth > kDeepest) {
    return std::nullopt;
  }
  value = without_casts(value);
  const Value& term = function_.values[value];
  switch (term.kind) {
    case Value::Kind::Constant:
      return Subject{fmt::format("{}", term.number)};
    case Value::Kind::Parameter: {
      const auto number = static_cast<std::size_t>(term.number);
      if (number >= function_.parameters.size() || !function_.parameters[number].valid()) {
        return std::nullopt;
      }
      const program::VariableId variable = function_.parameters[number];
      return Subject{std::string(short_name(program_.text(program_.variables[variable].name))),
                     false, term.bits == 8};
    }
    case Value::Kind::Address:
      return term.variable.valid()
                 ? std::optional(Subject{fmt::format(
                       "&{}", short_name(program_.text(program_.variables[term.variable].name)))})
                 : std::nullopt;
    case Value::Kind::Add:
    case Value::Kind::Subtract:
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::ExclusiveOr: {
      const std::optional<Subject> left = subject_of(term.left, depth + 1);
      const std::optional<Subject> right = subject_of(term.right, depth + 1);
      return left && right && !left->is_call && !right->is_call
                 ? std::optional(
                       Subject{fmt::format("{} {} {}", left->text, sign(term.kind), right->text)})
                 : std::nullopt;
    }
    case Value::Kind::Bound:
      break;
    default:
      return std::nullopt;
  }
  const auto binder = binders_.find(value.value());
  if (binder == binders_.end() || chosen_.count(value.value()) != 0) {
    return std::nullopt;
  }
  const program::Point& point = function_.points[binder->second];
  const Action& action = *function_.action_of(binder->second);
  if (action.kind == Action::Kind::Read) {
    return place_of(point, action, depth);
  }
  if (action.kind == Action::Kind::Choose) {
    return subject_of(action.value, depth + 1);
  }
  if (action.kind != Action::Kind::Call || !point.callee.valid()) {
    return std::nullopt;
  }
  for (const program::Fact& fact : point.facts) {
    if (fact.kind == program::FactKind::Result &&
        !program_.variables[fact.variable].is_artificial) {
      return Subject{std::string(short_name(program_.text(program_.variables[fact.variable].name))),
                     false, false};
    }
  }
  return Subject{readable_name(program_.text(point.callee)), true, false};
}

std::optional<std::string> BranchText::claim(program::ValueId value, Relation relation,
                                             const Value& constant, bool is_unsigned,
                                             int depth) const {
  const std::int64_t number = constant.number;
  value = without_casts(value);
  const Value& term = function_.values[value];
  if (depth > kDeepest) {
    return std::nullopt;
  }
  if (term.kind == Value::Kind::Compare && is_truth(relation, number)) {
    const Relation meant =
        relation == Relation::NotEqual ? term.relation : program::negated(term.relation);
    const Value& left = function_.values[term.left];
    const Value& right = function_.values[term.right];
    if (right.kind == Value::Kind::Constant) {
      return claim(term.left, meant, right, term.is_unsigned, depth + 1);
    }
    if (left.kind == Value::Kind::Constant) {
      return claim(term.right, program::swapped(meant), left, term.is_unsigned, depth + 1);
    }
    const std::optional<Subject> one = subject_of(term.left, depth);
    const std::optional<Subject> other = subject_of(term.right, depth);
    if (!one || !other || one->is_call || other->is_call || one->text == other->text) {
      return std::nullopt;
    }
    return fmt::format("'{}' {} '{}'", one->text, words(meant), other->text);
  }
  if (term.kind == Value::Kind::ExclusiveOr && term.bits == 1 && is_truth(relation, number) &&
      function_.values[term.right].kind == Value::Kind::Constant &&
      function_.values[term.right].number != 0) {
    return claim(term.left, program::negated(relation), constant, false, depth + 1);
  }
  const std::optional<Subject> subject = subject_of(value, depth);
  if (!subject || term.kind == Value::Kind::Constant) {
    return std::nullopt;
  }
  const std::string name = subject->is_call ? fmt::format("the result of '{}'", subject->text)
                                            : fmt::format("'{}'", subject->text);
  if (constant.is_null && is_truth(relation, number)) {
    return fmt::format("{} {} null", name, words(relation));
  }
  if (!is_unsigned && ((number == 0 && relation == Relation::Less) ||
                       (number == -1 && relation == Relation::LessEqual))) {
    return name + " is negative";
  }
  if (!is_unsigned && ((number == 0 && relation == Relation::GreaterEqual) ||
                       (number == -1 && relation == Relation::Greater))) {
    return name + " is not negative";
  }
  const bool is_printable = subject->is_character && number > ' ' && number < 127;
  return fmt::format(
      "{} {} {}", name, words(relation),
      is_printable ? fmt::format("'{}'", static_cast<char>(number)) : fmt::format("{}", number));
}

std::string BranchText::written_to(program::ValueId value) const {
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action == nullptr || action->kind != Action::Kind::Write || !action->value.valid() ||
        without_casts(action->value) != value) {
      continue;
    }
    const std::optional<Subject> subject = place_of(function_.points[p], *action, 0);
    return subject ? subject->text : std::string();
  }
  return {};
}

std::string BranchText::name_of(program::ValueId value) const {
  const std::optional<Subject> subject = subject_of(value, 0);
  return subject && !subject->is_call ? subject->text : std::string();
}

std::optional<std::size_t> BranchText::parameter_of(program::ValueId value) const {
  const program::VariableId location = read_location(without_casts(value));
  const auto found = std::find(function_.parameters.begin(), function_.parameters.end(), location);
  return location.valid() && found != function_.parameters.end()
             ? std::optional(static_cast<std::size_t>(found - function_.parameters.begin()))
             : std::nullopt;
}

std::string BranchText::base_of(program::ValueId address) const {
  return name_of(without_steps(address));
}

std::string BranchText::of(const program::Point& point) const {
  const Action& test = function_.actions[point.action];
  const bool is_switch = function_.values[test.value].bits != 1;
  if (test.is_else) {
    const std::optional<Subject> subject = subject_of(test.value, 0);
    return subject && !subject->is_call ? fmt::format("'{}' is none of the cases", subject->text)
                                        : std::string("taking the default case");
  }
  Value number;
  number.number = test.number;
  if (std::optional<std::string> text = claim(test.value, test.relation, number, false, 0)) {
    return *text;
  }
  if (is_switch) {
    return fmt::format("taking the case {}", test.number);
  }
  return test.relation == Relation::NotEqual ? "taking the true branch" : "taking the false branch";
}

}  // namespace nestor::lint
