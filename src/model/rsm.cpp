#include "model/rsm.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>

namespace nestor::model {

namespace {
// Entries and exits are listed in the order of their ids.
std::uint32_t index_in(std::span<const NodeId> sorted, NodeId n) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), n);
  assert(found != sorted.end() && *found == n);
  return static_cast<std::uint32_t>(found - sorted.begin());
}
}  // namespace

std::uint32_t Rsm::entry_index(NodeId entry) const {
  return index_in(entries(component_of(entry)), entry);
}

std::uint32_t Rsm::exit_index(NodeId exit) const {
  return index_in(exits(component_of(exit)), exit);
}

bool Rsm::is_dead_end(NodeId n) const {
  if (!successors(n).empty()) {
    return false;
  }
  switch (kind(n)) {
    case NodeKind::Plain:
      return !is_exit(n);
    case NodeKind::Call:
      return false;
    case NodeKind::Return:
      return successors(origin(n)).empty();
  }
  return false;
}

std::uint64_t Rsm::new_identity() {
  static std::atomic<std::uint64_t> last = 0;  // whatever thread builds, numbers are never reused
  return ++last;
}

PropId Rsm::find_prop(std::string_view name) const {
  const base::StringId id = strings_.find(name);
  return id.valid() && id.value() < prop_of_string_.size() ? PropId(prop_of_string_[id.value()])
                                                           : PropId();
}

std::vector<PropId> Rsm::props_of(NodeId plain) const {
  std::vector<PropId> found;
  for (const PropId p : prop_names_.ids()) {
    const std::span<const NodeId> nodes = nodes_with(p);
    if (std::binary_search(nodes.begin(), nodes.end(), plain)) {
      found.push_back(p);
    }
  }
  return found;
}

std::optional<std::string> Rsm::part(NodeId n, std::string_view name) const {
  return node_names_ == nullptr ? std::nullopt : node_names_->part(n, name);
}

std::optional<StepName> Rsm::step(NodeId from, NodeId to) const {
  return node_names_ == nullptr ? std::nullopt : node_names_->step(from, to);
}

std::string Rsm::change(NodeId from, NodeId to) const {
  return node_names_ == nullptr ? std::string() : node_names_->change(from, to);
}

std::string Rsm::describe(NodeId n) const {
  if (node_names_ != nullptr) {
    return std::string(node_name(n));
  }
  const std::string_view component = component_name(component_of(n));
  if (kind(n) == NodeKind::Plain) {
    return fmt::format("{}.{}", component, node_name(n));
  }
  return fmt::format("{}.{}.{}", component, box_name(box_of(n)), node_name(n));
}

std::optional<NodePosition> Rsm::position(NodeId plain) const {
  if (plain.value() >= positions_.size() || !positions_[plain].file.valid()) {
    return std::nullopt;
  }
  return positions_[plain];
}

std::size_t Rsm::memory_bytes() const {
  return components_.memory_bytes() + boxes_.memory_bytes() + entries_.memory_bytes() +
         exits_.memory_bytes() + callers_.memory_bytes() + successors_.memory_bytes() +
         (late_predecessors_ == nullptr ? predecessors_.memory_bytes()
                                        : late_predecessors_->memory_bytes()) +
         nodes_with_.memory_bytes() + origins_.capacity() * sizeof(NodeId) +
         component_of_.memory_bytes() + names_.memory_bytes() + flags_.memory_bytes() +
         positions_.memory_bytes() + prop_names_.memory_bytes() +
         prop_of_string_.capacity() * sizeof(std::uint32_t) +
         initial_nodes_.capacity() * sizeof(NodeId);
}

}  // namespace nestor::model
