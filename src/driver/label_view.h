#pragma once

#include "base/json_writer.h"
#include "driver/options.h"

#include <cstddef>
#include <nestor/check.h>
#include <nestor/model.h>
#include <string>
#include <vector>

namespace nestor::driver {

/// What `nestor label` tells of one formula: the values at the nodes that were asked for, in every
/// context that is reached. (κ of the thesis on recursive Kripke structures, docs/engines.md; table
/// 3.4 there is such a table.)
struct LabelView {
  struct Row {
    std::size_t row;   ///< of the labelling
    std::size_t node;  ///< of the component
  };
  struct Instance {
    std::size_t number;  ///< of the labelling
    const Component* component;
    std::vector<std::size_t> callees;  ///< instances, by box
    std::vector<Row> rows;             ///< that are shown

    const std::string& name(const Row& row) const { return component->nodes[row.node].name; }
  };

  const Labelling& labelling;
  std::vector<Instance> instances;  ///< that have something to show
  std::size_t left_out = 0;         ///< states beyond the limit
};

/// The nodes that `options` ask for, of an explored model at most `most_states`. Throws Error
/// (Usage) for names that no component or node has.
LabelView view_of(const Labelling& labelling, const std::vector<Component>& components,
                  const Options& options, std::size_t most_states);

/// The members `instances` and `subformulas` of an object (share/nestor/schema/label.schema.json).
void write_values(base::JsonWriter& json, const LabelView& view, bool with_trace);
/// The tables, and what they say: a line a subformula, then for each instance its nodes.
std::string label_table(const Formula& formula, const LabelView& view);
/// The approximations of each fixpoint; empty if the model has calls.
std::string approximations_text(const LabelView& view);
std::string check_order_text(const CheckOrder& order);
/// A graph of all instances, coloured by the value of the whole formula.
std::string label_dot(const Formula& formula, const LabelView& view);

}  // namespace nestor::driver
