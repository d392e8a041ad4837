#include "program/pruned_model.h"

#include "model/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::program {

namespace {

using Ref = model::ModelBuilder::Ref;

constexpr std::size_t kMostPruned = 100'000;  // nodes of a pruned model
constexpr std::uint32_t kPruned = UINT32_MAX;

/// The product of a model and how much of each impossible trace has happened.
class Pruner {
 public:
  Pruner(const SlicedModel& model, ModelSteps& steps, std::span<const ImpossibleTrace> impossible,
         const TraceEffects& effects)
      : model_(model),
        rsm_(model.model),
        steps_(steps),
        impossible_(impossible),
        effects_(effects),
        props_(rsm_.props_by_node()) {}

  std::optional<PrunedModel> run() {
    std::vector<TraceStep> first;
    const model::NodeId start = rsm_.initial_nodes().front();
    steps_.begin(start, first);
    copy_of(rsm_.initial_component(),
            after(progress_of(std::vector<std::uint32_t>(impossible_.size(), 0)), first));
    while (!work_.empty()) {
      const auto [copy, node] = work_.back();
      work_.pop_back();
      expand(copy, node);
      if (node_count_ > kMostPruned) {
        return std::nullopt;
      }
    }
    return emitted();
  }

 private:
  struct Node {
    model::NodeId node;
    std::uint32_t progress = 0;
    std::vector<std::uint32_t> next = {};
  };
  struct Box {
    std::uint32_t node = 0;  ///< that calls
    model::BoxId box;
    std::uint32_t callee = 0;                                          ///< a copy
    std::map<std::uint32_t, std::vector<std::uint32_t>> returns = {};  ///< by exit: the nodes after
  };
  /// A component, entered when so much had happened.
  struct Copy {
    model::ComponentId component;
    std::vector<Node> nodes = {};
    std::map<std::pair<model::NodeId, std::uint32_t>, std::uint32_t> index = {};
    std::vector<std::uint32_t> exits = {};  ///< nodes
    std::vector<Box> boxes = {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = {};  ///< copies and boxes
  };

  std::uint32_t progress_of(std::vector<std::uint32_t> counts) {
    const auto [found, fresh] =
        progress_index_.try_emplace(counts, static_cast<std::uint32_t>(progress_.size()));
    if (fresh) {
      progress_.push_back(std::move(counts));
    }
    return found->second;
  }

  /// kPruned: all of an impossible trace has happened.
  std::uint32_t after(std::uint32_t progress, const std::vector<TraceStep>& steps) {
    std::vector<std::uint32_t> counts = progress_[progress];
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (const TraceStep& step : steps) {
        counts[i] = impossible_[i].after(counts[i], step, effects_);
        if (counts[i] == impossible_[i].size()) {
          return kPruned;
        }
      }
    }
    return progress_of(std::move(counts));
  }

  std::uint32_t copy_of(model::ComponentId component, std::uint32_t progress) {
    const auto [found, fresh] =
        copy_index_.try_emplace({component, progress}, static_cast<std::uint32_t>(copies_.size()));
    if (fresh) {
      copies_.push_back({component});
      add_node(found->second, rsm_.entries(component).front(), progress);
    }
    return found->second;
  }

  std::uint32_t add_node(std::uint32_t c, model::NodeId node, std::uint32_t progress) {
    Copy& copy = copies_[c];
    const auto [found, fresh] =
        copy.index.try_emplace({node, progress}, static_cast<std::uint32_t>(copy.nodes.size()));
    if (fresh) {
      copy.nodes.push_back({node, progress});
      ++node_count_;
      work_.emplace_back(c, found->second);
    }
    return found->second;
  }

  void expand(std::uint32_t c, std::uint32_t n) {
    const model::NodeId from = copies_[c].nodes[n].node;
    const std::uint32_t progress = copies_[c].nodes[n].progress;
    for (const model::NodeId to : rsm_.successors(from)) {
      std::vector<TraceStep> steps;
      if (rsm_.kind(to) == model::NodeKind::Plain) {
        steps_.go(from, to, steps);
        if (const std::uint32_t next = after(progress, steps); next != kPruned) {
          const std::uint32_t there = add_node(c, to, next);
          copies_[c].nodes[n].next.push_back(there);
        }
        continue;
      }
      const model::NodeId entry = rsm_.origin(to);
      steps_.enter(from, entry, steps);
      const std::uint32_t next = after(progress, steps);
      if (next == kPruned) {
        continue;
      }
      const std::uint32_t callee = copy_of(rsm_.component_of(entry), next);
      const auto box = static_cast<std::uint32_t>(copies_[c].boxes.size());
      copies_[c].boxes.push_back({n, rsm_.box_of(to), callee});
      copies_[callee].callers.emplace_back(c, box);
      for (std::uint32_t e = 0; e < copies_[callee].exits.size(); ++e) {
        come_back(c, box, e);
      }
    }
    if (rsm_.is_exit(from)) {
      const auto exit = static_cast<std::uint32_t>(copies_[c].exits.size());
      copies_[c].exits.push_back(n);
      const std::vector<std::pair<std::uint32_t, std::uint32_t>> callers = copies_[c].callers;
      for (const auto& [caller, box] : callers) {
        come_back(caller, box, exit);
      }
    }
  }

  void come_back(std::uint32_t c, std::uint32_t b, std::uint32_t e) {
    const Box box = copies_[c].boxes[b];
    const Node exit = copies_[box.callee].nodes[copies_[box.callee].exits[e]];
    const model::NodeId call = copies_[c].nodes[box.node].node;
    std::vector<std::uint32_t> nodes;
    for (const model::NodeId to : rsm_.successors(model::return_node(rsm_, box.box, exit.node))) {
      std::vector<TraceStep> steps;
      steps_.come_back(call, exit.node, to, steps);
      if (const std::uint32_t next = after(exit.progress, steps); next != kPruned) {
        nodes.push_back(add_node(c, to, next));
      }
    }
    copies_[c].boxes[b].returns[e] = std::move(nodes);
  }

  PrunedModel emitted() {
    model::ModelBuilder builder("program");
    PrunedModel result;
    for (std::uint32_t c = 0; c < copies_.size(); ++c) {
      const Copy& copy = copies_[c];
      builder.component(fmt::format("c{}", c));
      result.sliced.components.push_back(model_.components[copy.component.value()]);
      result.sliced.points.emplace_back();
      for (std::uint32_t n = 0; n < copy.nodes.size(); ++n) {
        const model::NodeId node = copy.nodes[n].node;
        builder.node({.name = name_of(n), .is_entry = n == 0, .is_exit = rsm_.is_exit(node)});
        result.sliced.points.back().push_back(model_.origin(node).point);
        for (const model::PropId prop : props_[node]) {
          builder.label(rsm_.prop_name(prop));
        }
      }
      for (std::uint32_t n = 0; n < copy.nodes.size(); ++n) {
        for (const std::uint32_t to : copy.nodes[n].next) {
          builder.transition(Ref::node(name_of(n)), Ref::node(name_of(to)));
        }
      }
      for (std::uint32_t b = 0; b < copy.boxes.size(); ++b) {
        emit_box(copy.boxes[b], fmt::format("b{}", b), builder);
      }
    }
    builder.initial_component("c0");
    result.sliced.model = builder.finish();
    const model::Rsm& pruned = result.sliced.model;
    result.originals.resize(pruned.node_count());
    for (std::uint32_t c = 0; c < copies_.size(); ++c) {
      const model::NodeId first = pruned.component(model::ComponentId(c)).first_node;
      for (std::uint32_t n = 0; n < copies_[c].nodes.size(); ++n) {
        result.originals[(first + n).value()] = copies_[c].nodes[n].node;
      }
    }
    return result;
  }

  void emit_box(const Box& box, const std::string& name, model::ModelBuilder& builder) const {
    builder.box(name, fmt::format("c{}", box.callee));
    builder.transition(Ref::node(name_of(box.node)), Ref::box_node(name, name_of(0)));
    for (const auto& [exit, nodes] : box.returns) {
      const std::string from = name_of(copies_[box.callee].exits[exit]);
      for (const std::uint32_t to : nodes) {
        builder.transition(Ref::box_node(name, from), Ref::node(name_of(to)));
      }
    }
  }

  static std::string name_of(std::uint32_t node) { return fmt::format("n{}", node); }

  const SlicedModel& model_;
  const model::Rsm& rsm_;
  ModelSteps& steps_;
  std::span<const ImpossibleTrace> impossible_;
  const TraceEffects& effects_;
  base::CompressedRows<model::NodeId, model::PropId> props_;
  std::vector<std::vector<std::uint32_t>> progress_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> progress_index_;
  std::vector<Copy> copies_;
  std::map<std::pair<model::ComponentId, std::uint32_t>, std::uint32_t> copy_index_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work_;  // copies and nodes
  std::size_t node_count_ = 0;
};

}  // namespace

std::optional<PrunedModel> pruned(const SlicedModel& model, ModelSteps& steps,
                                  std::span<const ImpossibleTrace> impossible,
                                  const TraceEffects& effects) {
  return Pruner(model, steps, impossible, effects).run();
}

}  // namespace nestor::program
