#include "smv/names/scopes.h"

#include <fmt/format.h>

#include <cassert>

namespace nestor::smv {

namespace {

constexpr std::size_t kLongestExpression = 60;
constexpr int kDeepestArrays = 200;
constexpr std::size_t kAhead = 8;  // children that are looked at while memory answers

bool is_temporal(Syntax kind) {
  return kind >= Syntax::EX;
}

}  // namespace

std::string Resolver::quoted(ExprId expression) const {
  const Expr& expr = file_[expression];
  const Expr* first = &expr;
  while (first->child_count > 0 && (first->kind == Syntax::Dot || first->kind == Syntax::Index)) {
    first = &file_[file_.children[first->first_child]];
  }
  std::string text;
  if (expr.kind == Syntax::Name) {
    text = std::string(expr.text);
  } else {
    text = std::string(first->text.data(), file_[expression].end - first->at);
  }
  if (text.size() > kLongestExpression) {
    text.resize(kLongestExpression);
    text += "…";
  }
  return text;
}

TermId Resolver::term(ExprId expression, InstanceId scope) {
  // Re-entered for the bounds of types and constant indices, so it works on its own stretch.
  const std::size_t bottom = stack_.size();
  const std::size_t results = results_.size();
  push(expression, scope, false);
  try {
    while (stack_.size() > bottom) {
      step();
    }
  } catch (
      const base::Error&) {  // whoever asked may go on: definitions on the way are not known yet
    for (; stack_.size() > bottom; stack_.pop_back()) {
      if (Definition* definition = stack_.back().definition; definition != nullptr) {
        definition->state[stack_.back().next ? 1 : 0] = Definition::State::Untouched;
      }
    }
    results_.resize(results);
    throw;
  }
  const TermId result = results_.back();
  results_.pop_back();
  return result;
}

void Resolver::push(ExprId expression, InstanceId scope, bool next, Definition* definition) {
  Frame frame;
  frame.expression = expression;
  frame.scope = scope;
  frame.next = next;
  frame.definition = definition;
  frame.base = results_.size();
  stack_.push_back(std::move(frame));
}

void Resolver::step() {
  Frame& frame = stack_.back();
  if (!frame.begun) {
    frame.begun = true;
    begin(frame);
    return;
  }
  const Expr& expr = file_[frame.expression];
  if (expr.kind == Syntax::Name || expr.kind == Syntax::Dot) {  // of a definition, now known
    give(results_.back());
    return;
  }
  const std::span<const ExprId> children = expr.kind == Syntax::Index
                                               ? std::span<const ExprId>(frame.indices)
                                               : file_.children_of(frame.expression);
  if (frame.done < children.size()) {
    const ExprId child = children[frame.done++];
    if (frame.done + kAhead < children.size()) {  // a long set: its constants are all over memory
      model_.symbols.fetch(file_[children[frame.done + kAhead]].text);
    }
    // Indices of an array under `next` are those of the next state too.
    push(child, frame.scope, frame.next || expr.kind == Syntax::Next);
    return;
  }
  finish();
}

/// What needs no children, or other children than the syntax has.
void Resolver::begin(Frame& frame) {
  const Expr& expr = file_[frame.expression];
  switch (expr.kind) {
    case Syntax::Number:
      if (expr.value > kLargestNumber) {
        build_.fail(fmt::format("the number {} is too large", expr.value), expr.at);
      }
      give(build_.constant(expr.value, kNumber, expr.at));
      return;
    case Syntax::Boolean:
      give(build_.constant(expr.value, kBoolean, expr.at));
      return;
    case Syntax::Literal:
      give(build_.literal(expr.text, expr.at));
      return;
    case Syntax::Self:
      build_.fail("'self' is an instance of a module, expected a value", expr.at);
    case Syntax::Name:
    case Syntax::Dot:
      begin_name(frame);
      return;
    case Syntax::Index: {
      ExprId base = frame.expression;
      if (look_up_joined(base, frame.scope).kind != Meaning::Kind::None) {
        begin_name(frame);
        return;
      }
      while (file_[base].kind == Syntax::Index) {
        frame.indices.insert(frame.indices.begin(), file_.children_of(base)[1]);
        base = file_.children_of(base)[0];
      }
      return;
    }
    case Syntax::Next:
      if (frame.next) {
        build_.fail("'next' inside 'next'", expr.at);
      }
      return;
    default:
      if (is_temporal(expr.kind)) {
        build_.fail("a temporal operator stands in an expression, expected one only in SPEC",
                    expr.at);
      }
      return;
  }
}

void Resolver::begin_name(Frame& frame) {
  const ExprId expression = frame.expression;
  const InstanceId scope = frame.scope;
  const bool next = frame.next;
  const Expr& expr = file_[expression];
  if (is_running(expr, scope)) {
    InstanceId process = scope;
    if (expr.kind == Syntax::Dot) {
      process = InstanceId(owner(expression, scope).index);
    }
    give(build_.running(scopes_.instances[process].process, expr.at));
    return;
  }
  if (expr.kind == Syntax::Name) {
    const bool known = look_up(expr.text, scope).kind != Meaning::Kind::None;
    const std::int64_t symbol = model_.symbols.find(expr.text);
    if (symbol != 0 && known) {
      build_.fail(fmt::format("'{}' is both a symbolic constant and a name of module '{}'",
                              expr.text, scopes_.instances[scope].module->name),
                  expr.at);
    }
    if (symbol != 0) {
      give(build_.constant(symbol, kSymbolic, expr.at));
      return;
    }
    if (!known && expr.text == "EXIT") {
      give(build_.constant(kExit, kExitType, expr.at));
      return;
    }
  }
  const Meaning m = meaning(expression, scope);
  if (m.kind == Meaning::Kind::Definition) {
    begin_definition(scopes_.definitions[m.index], next);
    return;
  }
  give(value_of(m, next, expr.at, expr.text));
}

void Resolver::begin_definition(Definition& definition, bool next) {
  const std::size_t which = next ? 1 : 0;
  if (definition.state[which] == Definition::State::Done) {
    give(definition.term[which]);
    return;
  }
  if (definition.state[which] == Definition::State::Open) {
    build_.fail(fmt::format("'{}' is defined by itself", definition.name), definition.at);
  }
  definition.state[which] = Definition::State::Open;
  push(definition.value, definition.scope, next, &definition);
}

TermId Resolver::value_of(Meaning m, bool next, Place at, std::string_view name) {
  if (m.kind != Meaning::Kind::Variable) {
    build_.fail(
        fmt::format("'{}' is {}, expected a value", name,
                    m.kind == Meaning::Kind::Array ? "an array" : "an instance of a module"),
        at);
  }
  const Variable& variable = model_.variables[VariableId(m.index)];
  if (next && variable.kind == VariableKind::Input) {
    build_.fail(fmt::format("'next' of the input variable '{}'", variable.name), at);
  }
  // A frozen variable is the same in the next state; reading it here saves waiting for it.
  const bool later = next && variable.kind == VariableKind::State;
  return build_.variable(later ? Op::Next : Op::Variable, VariableId(m.index), variable.type,
                         variable.kind == VariableKind::Input, at);
}

/// Puts the top frame's result in its place and ends the frame.
void Resolver::give(TermId term) {
  Frame& frame = stack_.back();
  if (frame.definition != nullptr) {
    const std::size_t which = frame.next ? 1 : 0;
    frame.definition->state[which] = Definition::State::Done;
    frame.definition->term[which] = term;
  }
  results_.resize(frame.base);
  results_.push_back(term);
  stack_.pop_back();
}

void Resolver::finish() {
  const Frame& frame = stack_.back();
  const Expr& expr = file_[frame.expression];
  const std::vector<TermId> operands(results_.begin() + static_cast<std::ptrdiff_t>(frame.base),
                                     results_.end());
  switch (expr.kind) {
    case Syntax::Next:
      give(operands[0]);
      return;
    case Syntax::Function:
      give(build_.function(expr.text, operands, expr.at));
      return;
    case Syntax::Index: {
      ExprId base = frame.expression;
      while (file_[base].kind == Syntax::Index) {
        base = file_.children_of(base)[0];
      }
      if (!is_designator(base)) {
        build_.fail("an index needs the name of an array", expr.at);
      }
      give(element(settle(meaning(base, frame.scope)), operands, 0, frame.next, expr.at));
      return;
    }
    default:
      give(build_.operation(expr.kind, operands, expr.at));
      return;
  }
}

TermId Resolver::define_term(Meaning m, bool next) {
  Definition& definition = scopes_.definitions[m.index];
  const std::size_t which = next ? 1 : 0;
  if (definition.state[which] == Definition::State::Open) {
    build_.fail(fmt::format("'{}' is defined by itself", definition.name), definition.at);
  }
  if (definition.state[which] != Definition::State::Done) {
    definition.state[which] = Definition::State::Open;
    const std::size_t bottom = stack_.size();
    if (++nested_ > kDeepestArrays) {
      build_.fail(
          fmt::format("defined arrays refer to each other more than {} deep", kDeepestArrays),
          definition.at, base::Error::Kind::Unsupported);
    }
    push(definition.value, definition.scope, next, &definition);
    while (stack_.size() > bottom) {
      step();
    }
    results_.pop_back();
    --nested_;
  }
  return definition.term[which];
}

/// Recursion only over the dimensions of an array type, which the parser limits.
TermId Resolver::element(Meaning m, const std::vector<TermId>& indices, std::size_t depth,
                         bool next, Place at) {
  if (depth == indices.size()) {
    if (m.kind == Meaning::Kind::Definition) {
      return define_term(m, next);
    }
    return value_of(m, next, at, "the element");
  }
  if (m.kind != Meaning::Kind::Array) {
    build_.fail("what the index stands behind is no array", at);
  }
  const Array& array = scopes_.arrays[m.index];
  std::vector<TermId> elements;
  const Term& index = model_.terms[indices[depth]];
  if (index.op == Op::Constant) {
    const std::int64_t i = index.value - array.low;
    if (index.type.kind == Type::Kind::Boolean || i < 0 ||
        i >= static_cast<std::int64_t>(array.elements.size())) {
      build_.fail(fmt::format("index {} is out of bounds {}..{}",
                              model_.symbols.print(index.value, index.type), array.low,
                              array.low + static_cast<std::int64_t>(array.elements.size()) - 1),
                  at);
    }
    return element(array.elements[static_cast<std::size_t>(i)], indices, depth + 1, next, at);
  }
  for (const Meaning part : array.elements) {
    elements.push_back(element(part, indices, depth + 1, next, at));
  }
  return build_.select(indices[depth], array.low, elements, at);
}

}  // namespace nestor::smv
