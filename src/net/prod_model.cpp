#include "net/prod_model.h"

#include "net/prod_lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::net {

namespace {

constexpr std::size_t kMostVariables = 64;  // bits of ProdVariables

ProdVariables bit(std::size_t variable) {
  return ProdVariables{1} << variable;
}

ProdVariables variables_of(const ProdExpression& expression) {
  ProdVariables found = 0;
  for (const std::size_t variable : variables_in(expression)) {
    found |= bit(variable);
  }
  return found;
}

}  // namespace

ProdModel::ProdModel(const base::Input& input)
    : input_(base::Input::from_text(input.name(), input.text())),
      net_(parse_prod(input_)),
      names_(net_, read_prod_constants(input_)) {
  for (const ProdNet::Transition& transition : net_.transitions) {
    transitions_.push_back(prepare(transition));
  }
}

void ProdModel::fail(std::size_t at, const std::string& message, base::Error::Kind kind) const {
  throw base::Error(kind, message, input_.locate(at));
}

// A variable that is computed gets its value from there alone, also where an input has it as a
// field: that field is compared. The others get it from a tuple, and from an input whose number of
// tuples is constant: else there might be none to get it from.
ProdTransition ProdModel::prepare(const ProdNet::Transition& transition) const {
  if (transition.variables.size() > kMostVariables) {
    fail(transition.at,
         fmt::format("more than {} variables in transition '{}'", kMostVariables, transition.name),
         base::Error::Kind::Unsupported);
  }
  ProdTransition result;
  result.transition = &transition;
  ProdVariables computed = 0;
  for (const ProdNet::Assignment& assignment : transition.comp) {
    result.computes_again = result.computes_again || (computed & bit(assignment.variable)) != 0;
    computed |= bit(assignment.variable);
  }
  ProdVariables known = 0;
  for (const ProdNet::Pattern& pattern : transition.inputs) {
    ProdInput input{.pattern = &pattern, .needs = variables_of(pattern.count)};
    for (const ProdExpression& field : pattern.fields) {
      input.fields.push_back(variables_of(field));
      input.needs |= input.fields.back();
      input.gives |= field.is_variable() && pattern.count.is_number() ? bit(field.variable()) : 0;
    }
    input.gives &= ~computed;
    known |= input.gives;
    result.inputs.push_back(input);
  }
  const ProdVariables given = known;
  for (const ProdNet::Assignment& assignment : transition.comp) {
    demand(assignment.value, known, result);
    // What earlier ones compute is there by then.
    result.comp.push_back(variables_of(assignment.value) & given);
    known |= bit(assignment.variable);
  }
  const auto demand_all = [&](const std::vector<ProdNet::Pattern>& patterns) {
    for (const ProdNet::Pattern& pattern : patterns) {
      demand(pattern.count, known, result);
      for (const ProdExpression& field : pattern.fields) {
        demand(field, known, result);
      }
    }
  };
  demand_all(transition.inputs);
  for (const ProdExpression& gate : transition.gates) {
    demand(gate, known, result);
    result.gates.push_back(variables_of(gate));
  }
  demand_all(transition.outputs);
  return result;
}

void ProdModel::demand(const ProdExpression& expression, ProdVariables known,
                       const ProdTransition& transition) const {
  const ProdNet::Transition& it = *transition.transition;
  for (const std::size_t variable : variables_in(expression)) {
    if ((known & bit(variable)) != 0) {
      continue;
    }
    const std::string& name = it.variables[variable];
    for (const ProdNet::Assignment& assignment : it.comp) {
      if (assignment.variable == variable) {
        fail(expression.at,
             fmt::format("variable '{}' of '{}' is used before it is computed", name, it.name));
      }
    }
    const bool is_field = std::ranges::any_of(transition.inputs, [&](const ProdInput& input) {
      return std::ranges::any_of(input.pattern->fields, [&](const ProdExpression& field) {
        return field.is_variable() && field.variable() == variable;
      });
    });
    fail(expression.at,
         fmt::format("variable '{}' gets no value: no input of '{}' has it as a field alone{}",
                     name, it.name, is_field ? " behind a constant number" : ""));
  }
}

}  // namespace nestor::net
