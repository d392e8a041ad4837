#include "engine/mu/frames.h"

#include <algorithm>

namespace nestor::engine::mu {

Frames::Frames(const model::Rsm& model, bool exactly_reachable, base::LimitGuard& guard)
    : model_(model), exactly_(exactly_reachable), guard_(guard) {
  frame_of_component_.resize(model.component_count());
  find_ports();
  if (exactly_) {
    find_reached();
  }
  Sources initial(model.initial_nodes().begin(), model.initial_nodes().end());
  std::sort(initial.begin(), initial.end());
  initial.erase(std::unique(initial.begin(), initial.end()), initial.end());
  frame(model.initial_component(), true, initial);
}

void Frames::find_ports() {
  guard_.reserve(model_.node_count() * sizeof(std::uint32_t));
  port_of_exit_.resize(model_.node_count());
  for (const model::ComponentId c : model_.components()) {
    const std::span<const model::NodeId> exits = model_.exits(c);
    // Callers split what they treat differently.
    std::vector<std::uint32_t> port(exits.size());
    for (const model::BoxId b :
         exits.size() < 2 ? std::span<const model::BoxId>() : model_.callers(c)) {
      std::map<std::pair<std::uint32_t, std::vector<model::NodeId>>, std::uint32_t> first;
      for (std::uint32_t x = 0; x < exits.size(); ++x) {
        const auto targets = model_.successors(model_.box(b).first_return + x);
        guard_.tick(1 + targets.size());
        port[x] = first.try_emplace({port[x], {targets.begin(), targets.end()}}, x).first->second;
      }
    }
    for (std::uint32_t x = 0; x < exits.size(); ++x) {
      port_of_exit_[exits[x].value()] = port[x];
    }
  }
}

void Frames::reach(model::NodeId source, model::NodeId node) {
  const model::NodeId first = model_.component(model_.component_of(source)).first_node;
  if (reached_.at(source).insert(node - first)) {
    agenda_.push_back({source, node});
  }
}

void Frames::find_reached() {
  Sources sources(model_.initial_nodes().begin(), model_.initial_nodes().end());
  for (const model::ComponentId c : model_.components()) {
    sources.insert(sources.end(), model_.entries(c).begin(), model_.entries(c).end());
  }
  for (const model::NodeId s : sources) {
    const model::Component& component = model_.component(model_.component_of(s));
    const std::size_t size = component.node_end - component.first_node;
    guard_.reserve(size / 8);
    guard_.tick(1 + size / 64);
    reached_.try_emplace(s, size);
    reach(s, s);
  }
  while (!agenda_.empty()) {
    guard_.tick();
    const auto [source, node] = agenda_.back();
    agenda_.pop_back();
    for (const model::NodeId to : model_.successors(node)) {
      reach(source, to);
    }
    if (model_.kind(node) == model::NodeKind::Call) {
      const model::BoxId b = model_.box_of(node);
      const model::Box& box = model_.box(b);
      const model::NodeId entry = model_.origin(node);
      waiting_[entry].push_back({source, b});
      const model::NodeId first = model_.component(box.callee).first_node;
      const std::span<const model::NodeId> exits = model_.exits(box.callee);
      for (std::uint32_t x = 0; x < exits.size(); ++x) {
        if (reached_.at(entry).test(exits[x] - first)) {
          reach(source, box.first_return + x);
        }
      }
    } else if (model_.is_exit(node) && waiting_.contains(source)) {
      for (const Waiting& caller : waiting_.at(source)) {
        guard_.tick();
        reach(caller.source, model_.box(caller.box).first_return + model_.exit_index(node));
      }
    }
  }
}

FrameId Frames::frame(model::ComponentId component, bool is_lowest, const Sources& sources) {
  if (!exactly_ && !is_lowest) {
    FrameId& known = frame_of_component_[component.value()];
    if (!known.valid()) {
      known = frames_.push_back({.component = component});
    }
    return known;
  }
  const auto [found, is_new] =
      frame_of_sources_.try_emplace({component, is_lowest, sources}, FrameId(frames_.size()));
  if (is_new) {
    Frame made{.component = component, .is_lowest = is_lowest};
    if (exactly_) {
      const model::Component& nodes = model_.component(component);
      const std::size_t size = nodes.node_end - nodes.first_node;
      guard_.reserve(size / 8);
      made.live = base::BitSet(size);
      for (const model::NodeId s : sources) {
        guard_.tick(1 + size / 64);
        made.live |= reached_.at(s);
      }
    }
    frames_.push_back(std::move(made));
  }
  return found->second;
}

FrameId Frames::callee(FrameId frame, model::BoxId box) {
  const model::Component& owner = component(frame);
  if (frames_[frame].callees.empty()) {
    frames_[frame].callees.resize(owner.box_end - owner.first_box);
  }
  const std::size_t place = box - owner.first_box;
  if (!frames_[frame].callees[place].valid()) {
    Sources sources;
    if (exactly_) {
      for (const model::NodeId call : model_.box(box).call_nodes()) {
        if (is_live(frame, call)) {
          sources.push_back(model_.origin(call));
        }
      }
      std::sort(sources.begin(), sources.end());
    }
    const FrameId made = this->frame(model_.box(box).callee, false, sources);
    frames_[frame].callees[place] = made;
  }
  return frames_[frame].callees[place];
}

}  // namespace nestor::engine::mu
