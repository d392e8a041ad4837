#pragma once

#include "base/pool_allocator.h"
#include "program/explorer.h"
#include "program/relevance.h"
#include "program/symbolic_state.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nestor::program {

/// As a point: a call that never comes back.
constexpr std::uint32_t kStuck = UINT32_MAX;

/// What explorer.cpp finds, before explored_model.cpp makes a recursive state machine of it.
struct Exploration {
  using NodeList = base::PooledVector<std::uint32_t>;

  struct Node {
    std::uint32_t point = 0;
    StateId state;
    NodeList next;
    Happenings happenings;
    bool is_seen = false;  ///< the rule sees something of it
    bool is_end = false;   ///< the handle is released or kept here, and that is all of it
    bool is_expanded = false;
    /// False: only what a state led to before it was merged with others has led here.
    bool is_reached = true;
    std::uint8_t changes = 0;  ///< how often its state was merged with another
  };

  /// A call that is entered.
  struct Box {
    std::uint32_t node = 0;
    FunctionId target;
    bool is_left = false;                ///< its node has another state by now
    bool is_releasing = false;           ///< its target releases the handle on some paths only
    std::vector<std::uint32_t> symbols;  ///< for each symbol of the entry the caller's
    /// By exit of the component: the nodes after it.
    base::PooledMap<std::uint32_t, NodeList> returns;
  };

  struct Component {
    FunctionId function;
    bool is_outermost = false;
    StateId entry;
    const Relevance* relevance = nullptr;
    std::vector<Node> nodes;
    /// Point and state, or shape of the state where states are merged.
    base::PooledMap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index;
    std::vector<std::uint32_t> exits;  ///< nodes
    std::vector<std::uint8_t> passed;  ///< by point: the phases that nothing followed from
    std::vector<Box> boxes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> callers;  ///< component and box
    std::size_t counted = 0;   ///< towards how large a model may be
    std::size_t expanded = 0;  ///< times
    /// What it calls was taken to keep the handle only since there was too much already.
    bool is_cut = false;
  };

  /// Those of callees may be shared with other explorations, and are complete then: states and
  /// relevance are not theirs.
  std::vector<std::shared_ptr<Component>> components;
  std::vector<std::vector<std::uint32_t>> callees;  ///< components, by component and box
  /// By component: some box that counts leads to it. Filled by find_reached().
  std::vector<std::uint8_t> is_entered;
};

/// The states of components that may be shared.
class StateView {
 public:
  virtual ~StateView() = default;
  virtual const SymbolicState& entry_of(std::uint32_t component) const = 0;
  virtual const SymbolicState& end_of(std::uint32_t component, std::uint32_t exit) const = 0;
};

/// How large a model may be.
std::size_t most_nodes(const Tracking& tracking, Reduction reduction, bool is_merging);
/// What followed from the state that the node had before goes.
void begin_again(Exploration::Component& component, std::uint32_t node);
/// Who asks whether something is lost does not follow it into ever more functions: what is passed
/// on then is taken to be kept, and the rest can still be told.
bool is_too_far(std::size_t components, const Tracking& tracking, const SymbolicState& before,
                bool is_merging);
/// What the callee returns at this end says that it has failed, if it need not at others.
bool tells_failure(const SymbolicState& end, const NumberSet& results);
/// Who only asks whether it is lost believes a function that decides by what lies in the handle,
/// and one whose caller can still release it; if nobody will, there is nothing to know. Nobody is
/// believed whose result is asked for and tells.
bool is_believed(const Tracking& tracking, bool looks_inside, const Exploration::Component& caller,
                 std::uint32_t point, const Action& call, bool tells);
/// Points where all is over count as if they were looked at: how large a model may be is found by
/// what the function does, not by how much of that could be left out. The number of those after
/// `from` that have not been counted in this phase, links left out.
std::size_t pass_over(Exploration::Component& component, const Function& function,
                      std::uint32_t from, SymbolicState::Phase phase);
/// What a state led to before it was merged with others need not be reached any more.
void find_reached(Exploration::Component& component);
/// The same for whole components.
void find_reached(Exploration& exploration);
/// Functions that release or keep the handle on some paths, and on others do not.
std::set<FunctionId> releasing_functions(const Exploration& exploration, const StateView& states,
                                         const Tracking& tracking);
/// For a function that is entered, a call of the root that leads to it.
std::map<FunctionId, std::uint32_t> entered_functions(const Exploration& exploration);
/// Those of the machine that model_of() makes.
std::set<std::string, std::less<>> propositions_of(const Exploration& exploration,
                                                   const HandleEvents& events);
/// The machine. Nodes without a label are left out as far as `reduction` allows.
SlicedModel model_of(const Exploration& exploration, const Program& program,
                     const HandleEvents& events, Reduction reduction);

}  // namespace nestor::program
