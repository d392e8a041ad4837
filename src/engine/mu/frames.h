#pragma once

#include "base/bit_set.h"
#include "base/id.h"
#include "base/limits.h"
#include "model/rsm.h"

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace nestor::engine::mu {

using FrameId = base::Id<struct FrameTag>;

/// What the top of a stack can look like: a component, with the entries by which it may have been
/// entered. The lowest frame, in which an exit loops on itself, is told apart from the others.
struct Frame {
  model::ComponentId component;
  bool is_lowest = false;
  base::BitSet live = {};             ///< the component's nodes that are reached; empty: all
  std::vector<FrameId> callees = {};  ///< by box of the component; not valid: not asked for yet
};

/// The frames of all stacks, made when they are asked for.
///
/// For formulas that look ahead only, a component is one frame, whoever calls it. One that looks
/// back must not see predecessors that no initial state reaches. So then frames are told apart by
/// the set of entries that their call uses, and every node and box of a frame that is `live` is
/// reached with every stack of such frames. With one entry a component, that is one frame as well.
class Frames {
 public:
  Frames(const model::Rsm& model, bool exactly_reachable, base::LimitGuard& guard);

  FrameId lowest() const { return FrameId(0); }
  const Frame& operator[](FrameId frame) const { return frames_[frame]; }
  std::size_t count() const { return frames_.size(); }
  const model::Component& component(FrameId frame) const {
    return model_.component(frames_[frame].component);
  }
  FrameId callee(FrameId frame, model::BoxId box);
  bool is_live(FrameId frame, model::NodeId node) const {
    return !exactly_ || frames_[frame].live.test(local(frame, node));
  }

  /// Exits that lead to the same nodes in all callers are one port, named after the first of them.
  std::uint32_t port_of(model::NodeId exit) const { return port_of_exit_[exit.value()]; }

 private:
  using Sources = std::vector<model::NodeId>;  // ascending

  std::size_t local(FrameId frame, model::NodeId node) const {
    return node - component(frame).first_node;
  }
  void find_ports();
  void find_reached();
  void reach(model::NodeId source, model::NodeId node);
  FrameId frame(model::ComponentId component, bool is_lowest, const Sources& sources);

  const model::Rsm& model_;
  bool exactly_;
  base::LimitGuard& guard_;
  base::IdVector<FrameId, Frame> frames_;
  std::vector<std::uint32_t> port_of_exit_;  // by node; the index of an exit
  std::map<std::tuple<model::ComponentId, bool, Sources>, FrameId> frame_of_sources_;
  std::vector<FrameId> frame_of_component_;  // unless exactly_

  // The nodes that a run gets to from a source (an entry or an initial node) before it leaves the
  // component: the usual reachability with summaries.
  struct Waiting {
    model::NodeId source;
    model::BoxId box;
  };
  struct Reached {
    model::NodeId source;
    model::NodeId node;
  };
  std::map<model::NodeId, base::BitSet> reached_;          // by source
  std::map<model::NodeId, std::vector<Waiting>> waiting_;  // by entry: who calls it
  std::vector<Reached> agenda_;
};

}  // namespace nestor::engine::mu
