#pragma once

#include "base/bit_set.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <vector>

namespace nestor::explain {

/// Everything there is to know about one formula on a model: the components under their contexts,
/// and the value of every subformula at every node of each. Witnesses and certificates are read off
/// it, whichever engine it is from.
///
/// An instance is a component with a context for each existential subformula f: the exits after
/// whose return some successor satisfies f (for EX φ: satisfies φ), by the semantics exactly, no
/// exit left out because no node would notice. For each of its boxes it names the instance that is
/// called there. Values are for plain nodes: the call node of an entry is that entry in the box's
/// instance, a return node is the exit (docs/semantics.md).
struct Labelling {
  struct Instance {
    model::ComponentId component;
    std::uint32_t first_node = 0;  ///< row of its first plain node, among those of all instances
    std::uint32_t first_exit = 0;  ///< likewise of its first exit
    std::uint32_t first_box = 0;   ///< likewise of its first box
  };

  static constexpr std::uint32_t kRoot = 0;

  /// Adds an instance of `component`; its boxes still lead nowhere.
  std::uint32_t add_instance(const model::Rsm& model, model::ComponentId component);

  std::size_t node_row(const model::Rsm& model, std::uint32_t instance, model::NodeId plain) const {
    const Instance& i = instances[instance];
    return i.first_node + (plain - model.component(i.component).first_node);
  }
  /// `exit` is the index among the component's exits.
  std::size_t exit_row(std::uint32_t instance, std::size_t exit) const {
    return instances[instance].first_exit + exit;
  }
  std::size_t box_row(const model::Rsm& model, std::uint32_t instance, model::BoxId box) const {
    const Instance& i = instances[instance];
    return i.first_box + (box - model.component(i.component).first_box);
  }

  /// What the values take.
  std::size_t memory_bytes() const;

  std::vector<logic::FormulaId>
      subformulas;                  ///< operands first; the last one is the formula itself
  std::vector<Instance> instances;  ///< the first one is the root: the empty stack
  std::uint32_t node_rows = 0;
  std::uint32_t exit_rows = 0;
  std::vector<std::uint32_t> callees;  ///< by box row
  std::vector<base::BitSet> values;    ///< by place in `subformulas`, by node row
  std::vector<base::BitSet> contexts;  ///< likewise by exit row; empty sets if not existential
};

}  // namespace nestor::explain
