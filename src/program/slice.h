#pragma once

#include "model/rsm.h"
#include "program/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor {

/// A function as a component of a model. A rule that follows one handle through calls has a
/// component of its own for the function whose parameter holds it.
struct ComponentKey {
  FunctionId function;
  VariableId handle;  ///< the local or parameter that holds the handle here; not valid if none does
  /// The first call of the function that a rule is about: what recursion comes back to is another
  /// component, so that its exit is not taken for the end of the first.
  bool is_outermost = false;

  friend auto operator<=>(const ComponentKey&, const ComponentKey&) = default;
};

/// Says what the model is to show of a program.
class Labels {
 public:
  virtual ~Labels() = default;
  /// Appends the propositions of a point.
  virtual void of(const ComponentKey& component, std::uint32_t point,
                  std::vector<std::string>& labels) const = 0;
  /// What `target` becomes when it is called here. Without a value: nothing in it can matter, and
  /// the call is one step.
  virtual bool enters(const ComponentKey& component, const Point& call, FunctionId target,
                      ComponentKey& callee) const = 0;
  /// Keep every function that is entered, labels or not.
  virtual bool keeps_all() const { return false; }
};

/// A model of a program, with the way back.
struct SlicedModel {
  struct Origin {
    ComponentKey component;
    std::uint32_t point = 0;
  };

  Rsm model;
  std::vector<ComponentKey> components;  ///< by ComponentId; the function is not valid for
                                         ///< the component that starts several roots
  std::vector<std::vector<std::uint32_t>> points;  ///< by ComponentId, by plain node: the point

  /// The point of a plain node; nothing has function `not valid`.
  Origin origin(NodeId plain) const;
};

/// The recursive state machine of what can happen from `roots` on, any of which may be the first.
/// Points without a label are left out where that changes no path: a point that only links one to
/// others, and a function in which nothing happens. What is kept of loops is that they can go on
/// forever. Properties must then not count steps, and what they demand `until` something happens
/// must hold where nothing happens (docs/c-programs.md).
SlicedModel slice(const Program& program, const std::vector<ComponentKey>& roots,
                  const Labels& labels);

/// The model with all labels, for `check`, `info` and `convert`.
Rsm full_model(const Program& program);

}  // namespace nestor
