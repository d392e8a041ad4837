#pragma once

#include "model/rsm.h"
#include "program/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor::program {

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

/// What may be left out of a model without changing verdicts, from most to least; which formulas
/// allow it is for lint/silence.h to say.
enum class Reduction : std::uint8_t {
  Events,     ///< all points and functions in which nothing is labelled
  KeepLoops,  ///< the same, but a function that is left out can still run forever
  Nothing,    ///< every point is a node, and every function that is entered a component
};

/// Says what the model is to show of a program.
class SliceLabels {
 public:
  virtual ~SliceLabels() = default;
  /// Appends the propositions of a point.
  virtual void of(const ComponentKey& component, std::uint32_t point,
                  std::vector<std::string>& labels) const = 0;
  /// What `target` becomes when it is called here. False: nothing in it can matter, and the call is
  /// one step.
  virtual bool enters(const ComponentKey& component, const Point& call, FunctionId target,
                      ComponentKey& callee) const = 0;
  /// Keep every function that is entered, labels or not.
  virtual bool keeps_all() const { return false; }
  virtual Reduction reduction() const { return Reduction::Events; }
};

/// A model of a program, with the way back.
struct SlicedModel {
  struct Origin {
    ComponentKey component;
    std::uint32_t point = 0;
  };

  model::Rsm model;
  std::vector<ComponentKey> components;  ///< by ComponentId; the function is not valid for
                                         ///< the component that starts several roots
  std::vector<std::vector<std::uint32_t>> points;  ///< by ComponentId, by plain node: the point

  /// The point of a plain node; nothing has function `not valid`.
  Origin origin(model::NodeId plain) const;
};

/// The recursive state machine of what can happen from `roots` on, any of which may be the first.
/// Points without a label are left out where that changes no path, as far as the reduction goes: a
/// point that only links one to others, and a function in which nothing happens. What is kept of
/// loops is that they can go on forever.
SlicedModel slice(const Program& program, const std::vector<ComponentKey>& roots,
                  const SliceLabels& labels);

/// The model with all labels, for `check`, `info` and `convert`.
model::Rsm full_model(const Program& program);

}  // namespace nestor::program
