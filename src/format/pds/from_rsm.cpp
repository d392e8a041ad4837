// A recursive state machine as a pushdown system, step by step (docs/formats.md).
//
// A stack symbol is a list of targets [t0, t1, …], each a plain node or a call node of one frame,
// and (q_k, [t0, t1, …] w) is the state that is at t_k. Most symbols are lists of one, read under
// q0: the nodes. Longer lists are what calls return to: the exit chooses the control state, so the
// step out of a procedure leads straight to the successors of the return node.
//
// A frame is a component together with the exits that lead somewhere when its call returns: at the
// others a path ends (or goes on locally), so there must be no pop. Calls that agree on those exits
// share a frame. The initial component's lowest frame is one more: its exits loop.

#include "format/pds/from_rsm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace nestor::format {

namespace {

using FrameId = base::Id<struct FrameTag>;

struct Frame {
  model::ComponentId component;
  std::vector<bool> live;                          // by exit
  std::vector<model::BoxId> calls;                 // of this frame
  std::vector<std::vector<std::size_t>> controls;  // by exit: the control states that it pops to
  std::size_t control_count = 0;
};

class FromRsm {
 public:
  explicit FromRsm(const model::Rsm& model)
      : model_(model),
        labels_(model.props_by_node()),
        callee_frame_(model.box_count()),
        returns_(model.box_count()) {}

  model::PushdownSystem convert() {
    find_frames();
    for (const FrameId f : frames_.ids()) {
      if (f != kBottom) {
        choose_controls(f);
      }
    }
    for (const model::NodeId n : model_.initial_nodes()) {
      system_.initial({control(0), symbol(kBottom, {n})});
      use(0, symbol(kBottom, {n}));
    }
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      add_rules(heads_[i]);
    }
    return std::move(system_);
  }

 private:
  static constexpr FrameId kBottom{0};

  using Targets = std::vector<model::NodeId>;

  /// A symbol read under one of its control states.
  struct Reading {
    std::size_t control = 0;
    model::SymbolId symbol;
  };
  struct SymbolKey {
    FrameId frame;
    Targets targets;

    friend auto operator<=>(const SymbolKey&, const SymbolKey&) = default;
  };

  Targets return_targets(model::BoxId box, std::size_t exit) const {
    const std::span<const model::NodeId> all =
        model_.successors(model_.box(box).first_return + exit);
    Targets targets(all.begin(), all.end());
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
  }

  void find_frames() {
    std::map<std::pair<model::ComponentId, std::vector<bool>>, FrameId> known;
    frames_.push_back({model_.initial_component(), {}, {}, {}, 0});
    std::vector<bool> scanned(model_.component_count());
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const model::ComponentId c = frames_[FrameId(i)].component;
      if (scanned[c.value()]) {
        continue;  // what a box calls does not depend on the frame it is in
      }
      scanned[c.value()] = true;
      for (const model::BoxId b : model_.component(c).boxes()) {
        const model::ComponentId callee = model_.box(b).callee;
        std::vector<bool> live;
        for (std::size_t x = 0; x < model_.exits(callee).size(); ++x) {
          live.push_back(!model_.successors(model_.box(b).first_return + x).empty());
        }
        const auto [place, is_new] = known.try_emplace({callee, live}, FrameId(frames_.size()));
        if (is_new) {
          frames_.push_back({callee, std::move(live), {}, {}, 0});
        }
        callee_frame_[b] = place->second;
        frames_[place->second].calls.push_back(b);
      }
    }
  }

  /// Exit x may have to offer its callers several successors: choices (x, 0), (x, 1), …. A caller
  /// with fewer gives its first for the rest. Choices that mean the same to every caller become one
  /// control state.
  void choose_controls(FrameId f) {
    Frame& frame = frames_[f];
    struct Choice {
      std::size_t exit;
      std::size_t number;
      std::size_t control;
    };
    std::vector<Choice> choices;
    for (std::size_t x = 0; x < frame.live.size(); ++x) {
      std::size_t most = 0;
      for (const model::BoxId b : frame.calls) {
        most = std::max(most, return_targets(b, x).size());
      }
      for (std::size_t i = 0; frame.live[x] && i < most; ++i) {
        choices.push_back({x, i, 0});
      }
    }
    const auto target_of = [](const Targets& targets, const Choice& choice) {
      return targets[choice.number < targets.size() ? choice.number : 0];
    };
    for (const model::BoxId b : frame.calls) {
      std::map<std::pair<std::size_t, model::NodeId>, std::size_t> refined;
      for (Choice& choice : choices) {
        const model::NodeId target = target_of(return_targets(b, choice.exit), choice);
        choice.control =
            refined.try_emplace({choice.control, target}, refined.size()).first->second;
      }
      frame.control_count = refined.size();
    }
    frame.controls.resize(frame.live.size());
    for (const Choice& choice : choices) {
      std::vector<std::size_t>& controls = frame.controls[choice.exit];
      if (std::find(controls.begin(), controls.end(), choice.control) == controls.end()) {
        controls.push_back(choice.control);
      }
    }
    for (const model::BoxId b : frame.calls) {
      returns_[b].resize(frame.control_count);
      for (const Choice& choice : choices) {
        returns_[b][choice.control] = target_of(return_targets(b, choice.exit), choice);
      }
    }
  }

  model::ControlId control(std::size_t number) {
    return system_.control(fmt::format("q{}", number));
  }

  model::SymbolId symbol(FrameId frame, Targets targets) {
    const auto [place, is_new] =
        symbol_of_.try_emplace({frame, std::move(targets)}, model::SymbolId());
    if (is_new) {
      place->second = system_.symbol(fresh_name(frame, place->first.targets));
      assert(place->second.value() == symbols_.size());
      symbols_.push_back(&place->first);
    }
    return place->second;
  }

  /// What a call by `box` leaves on the stack to return to.
  model::SymbolId return_symbol(FrameId frame, model::BoxId box) {
    const model::SymbolId below = symbol(frame, returns_[box]);
    for (std::size_t k = 0; k < returns_[box].size(); ++k) {
      use(k, below);
    }
    return below;
  }

  void use(std::size_t control, model::SymbolId symbol) {
    if (used_.insert(std::uint64_t{symbol.value()} << 32 | control).second) {
      heads_.push_back({control, symbol});
    }
  }

  void add_rules(const Reading reading) {
    const SymbolKey& key = *symbols_[reading.symbol.value()];
    const FrameId frame = key.frame;
    const model::NodeId target = key.targets[reading.control];
    const model::Head head{control(reading.control), reading.symbol};
    const model::NodeId plain = model_.origin(target);
    for (const model::PropId p : labels_[plain]) {
      system_.label(head, system_.intern(model_.prop_name(p)));
    }
    if (model_.kind(target) == model::NodeKind::Call) {
      add_call_rules(head, frame, target);
      return;
    }
    for (const model::NodeId next : model_.successors(plain)) {
      step(head, frame, next);
    }
    if (!model_.is_exit(plain)) {
      return;
    }
    if (frame == kBottom) {
      step(head, frame, plain);
    } else if (const std::size_t x = model_.exit_index(plain); frames_[frame].live[x]) {
      for (const std::size_t k : frames_[frame].controls[x]) {
        system_.pop(head, control(k));
      }
    }
  }

  void rewrite(model::Head head, FrameId frame, model::NodeId target) {
    const model::SymbolId first = symbol(frame, {target});
    use(0, first);
    system_.rewrite(head, control(0), first);
  }
  void push(model::Head head, FrameId callee, model::NodeId target, model::SymbolId below) {
    const model::SymbolId first = symbol(callee, {target});
    use(0, first);
    system_.push(head, control(0), first, below);
  }

  void step(model::Head head, FrameId frame, model::NodeId next) {
    if (model_.kind(next) == model::NodeKind::Plain) {
      rewrite(head, frame, next);
    } else {
      const model::BoxId box = model_.box_of(next);
      push(head, callee_frame_[box], model_.origin(next), return_symbol(frame, box));
    }
  }

  /// A symbol for a call node holds two stack positions, the entry and what is below it, because
  /// a rule can push only one. Its rules are those of the entry with the lower one added.
  void add_call_rules(model::Head head, FrameId frame, model::NodeId call) {
    const model::BoxId box = model_.box_of(call);
    const model::NodeId entry = model_.origin(call);
    const FrameId callee = callee_frame_[box];
    for (const model::NodeId next : model_.successors(entry)) {
      push(head, callee, next, return_symbol(frame, box));
    }
    if (model_.is_exit(entry)) {
      for (const model::NodeId next : return_targets(box, model_.exit_index(entry))) {
        rewrite(head, frame, next);
      }
    }
  }

  // ---- names ----

  /// Of the node, the call node (`box.entry`) or the box that returns to several places.
  std::string fresh_name(FrameId frame, const Targets& targets) {
    const model::ComponentId c = frames_[frame].component;
    std::string name;
    if (targets.empty()) {
      name = "never";
    } else if (targets.size() > 1) {
      name = fmt::format("{}+{}", model_.node_name(targets[0]), targets.size() - 1);
    } else if (model_.kind(targets[0]) == model::NodeKind::Call) {
      name = fmt::format("{}.{}", model_.box_name(model_.box_of(targets[0])),
                         model_.node_name(targets[0]));
    } else {
      name = model_.node_name(targets[0]);
    }
    name = clean(name);
    if (names_.insert(name).second) {
      return name;
    }
    name = clean(fmt::format("{}.{}", model_.component_name(c), name));
    std::string numbered = name;
    for (std::size_t& i = next_number_[name]; !names_.insert(numbered).second;) {
      numbered = fmt::format("{}.{}", name, ++i);
    }
    return numbered;
  }

  static std::string clean(std::string name) {
    for (char& c : name) {
      if (static_cast<unsigned char>(c) <= ' ' ||
          std::string_view("<>(),\"").find(c) != std::string_view::npos) {
        c = '_';
      }
    }
    return name;
  }

  const model::Rsm& model_;
  base::CompressedRows<model::NodeId, model::PropId> labels_;
  model::PushdownSystem system_;
  base::IdVector<FrameId, Frame> frames_;
  base::IdVector<model::BoxId, FrameId> callee_frame_;
  base::IdVector<model::BoxId, Targets> returns_;  // by control state
  std::map<SymbolKey, model::SymbolId> symbol_of_;
  std::vector<const SymbolKey*> symbols_;  // by SymbolId
  std::unordered_set<std::uint64_t> used_;
  std::vector<Reading> heads_;
  std::unordered_set<std::string> names_;
  std::map<std::string, std::size_t> next_number_;
};

}  // namespace

model::PushdownSystem from_rsm(const model::Rsm& model) {
  return FromRsm(model).convert();
}

}  // namespace nestor::format
