// What names mean: variables, arrays, definitions and instances, through dots and parameters.

#include "smv/names/scopes.h"

#include <fmt/format.h>

namespace nestor::smv {

Meaning Resolver::look_up(std::string_view name, InstanceId scope) const {
  const auto& names = scopes_.instances[scope].names;
  const auto place = names.find(name);
  return place == names.end() ? Meaning{} : place->second;
}

bool Resolver::is_running(const Expr& expr, InstanceId scope) const {
  return expr.text == "running" &&
         (expr.kind == Syntax::Dot || look_up("running", scope).kind == Meaning::Kind::None);
}

bool Resolver::is_designator(ExprId expression) const {
  while (file_[expression].kind == Syntax::Dot || file_[expression].kind == Syntax::Index) {
    expression = file_.children_of(expression)[0];
  }
  return file_[expression].kind == Syntax::Name || file_[expression].kind == Syntax::Self;
}

bool Resolver::is_declared(ExprId designator, InstanceId scope) const {
  while (file_[designator].kind == Syntax::Dot || file_[designator].kind == Syntax::Index) {
    designator = file_.children_of(designator)[0];
  }
  return file_[designator].kind == Syntax::Self ||
         look_up(file_[designator].text, scope).kind != Meaning::Kind::None;
}

std::string Resolver::joined(ExprId designator) const {
  std::string name;
  for (ExprId e = designator;; e = file_.children_of(e)[0]) {
    const Expr& expr = file_[e];
    if (expr.kind == Syntax::Name) {
      return std::string(expr.text) + name;
    }
    if (expr.kind == Syntax::Dot) {
      name.insert(0, fmt::format(".{}", expr.text));
    } else if (expr.kind == Syntax::Index &&
               file_[file_.children_of(e)[1]].kind == Syntax::Number) {
      name.insert(0, fmt::format("[{}]", file_[file_.children_of(e)[1]].value));
    } else {
      return {};
    }
  }
}

/// What a name with dots or brackets in it means; nothing if there is none such.
Meaning Resolver::look_up_joined(ExprId designator, InstanceId scope) const {
  const Syntax kind = file_[designator].kind;
  if (!has_dotted_names() || (kind != Syntax::Dot && kind != Syntax::Index)) {
    return {};
  }
  return look_up(joined(designator), scope);
}

bool Resolver::has_constant_indices(ExprId designator, InstanceId scope) {
  for (ExprId e = designator; file_[e].kind == Syntax::Dot || file_[e].kind == Syntax::Index;
       e = file_.children_of(e)[0]) {
    if (file_[e].kind == Syntax::Index &&
        model_.terms[term(file_.children_of(e)[1], scope)].op != Op::Constant) {
      return false;
    }
  }
  return true;
}

/// A parameter stands for what was given for it, if that is the name of something.
Meaning Resolver::settle(Meaning m) {
  // Each step leads to the scope of the parent, so this ends, and its depth is that of instances.
  while (m.kind == Meaning::Kind::Definition) {
    const Definition& definition = scopes_.definitions[m.index];
    const Expr& value = file_[definition.value];
    if (!definition.is_parameter || !is_designator(definition.value)) {
      return m;
    }
    if (value.kind == Syntax::Self) {
      return {Meaning::Kind::Instance, definition.scope.value()};
    }
    if (!has_constant_indices(definition.value, definition.scope) ||
        is_running(value, definition.scope) ||
        (value.kind == Syntax::Name &&
         look_up(value.text, definition.scope).kind == Meaning::Kind::None)) {
      return m;
    }
    if (value.kind == Syntax::Dot || value.kind == Syntax::Index) {
      return settle(meaning(definition.value, definition.scope));
    }
    m = look_up(value.text, definition.scope);
  }
  return m;
}

Meaning Resolver::owner(ExprId dotted, InstanceId scope) {
  const Meaning m = settle(meaning(file_.children_of(dotted)[0], scope));
  if (m.kind != Meaning::Kind::Instance) {
    build_.fail(
        fmt::format("what stands before '.{}' is no instance of a module", file_[dotted].text),
        file_[dotted].at);
  }
  return m;
}

Meaning Resolver::meaning(ExprId designator, InstanceId scope) {
  std::vector<ExprId> path;  // from the outside in
  for (ExprId e = designator;; e = file_.children_of(e)[0]) {
    path.push_back(e);
    if (file_[e].kind != Syntax::Dot && file_[e].kind != Syntax::Index) {
      break;
    }
    if (look_up_joined(e, scope).kind != Meaning::Kind::None) {
      break;
    }
  }
  const Expr& first = file_[path.back()];
  Meaning m = look_up_joined(path.back(), scope);
  if (m.kind != Meaning::Kind::None) {
    // a name with dots in it
  } else if (first.kind == Syntax::Self) {
    m = {Meaning::Kind::Instance, scope.value()};
  } else {
    m = first.kind == Syntax::Name ? look_up(first.text, scope) : Meaning{};
    if (m.kind == Meaning::Kind::None) {
      build_.fail(fmt::format("'{}' is not declared in module '{}'", quoted(path.back()),
                              scopes_.instances[scope].module->name),
                  first.at);
    }
  }
  path.pop_back();
  for (; !path.empty(); path.pop_back()) {
    const Expr& expr = file_[path.back()];
    m = settle(m);
    if (expr.kind == Syntax::Index) {
      const ExprId index = file_.children_of(path.back())[1];
      if (m.kind != Meaning::Kind::Array) {
        build_.fail("what the index stands behind is no array", expr.at);
      }
      const Array& array = scopes_.arrays[m.index];
      const std::int64_t i =
          build_.constant_number(term(index, scope), "a constant index", file_[index].at);
      if (i < array.low || i - array.low >= static_cast<std::int64_t>(array.elements.size())) {
        build_.fail(fmt::format("index {} is out of bounds {}..{}", i, array.low,
                                array.low + static_cast<std::int64_t>(array.elements.size()) - 1),
                    file_[index].at);
      }
      m = array.elements[static_cast<std::size_t>(i - array.low)];
      continue;
    }
    if (m.kind != Meaning::Kind::Instance) {
      build_.fail(fmt::format("what stands before '.{}' is no instance of a module", expr.text),
                  expr.at);
    }
    const Meaning inner = look_up(expr.text, InstanceId(m.index));
    if (inner.kind == Meaning::Kind::None) {
      build_.fail(fmt::format("'{}' is not declared in module '{}'", expr.text,
                              scopes_.instances[InstanceId(m.index)].module->name),
                  expr.at);
    }
    m = inner;
  }
  return m;
}

}  // namespace nestor::smv
