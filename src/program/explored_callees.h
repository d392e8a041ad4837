#pragma once

#include "program/exploration.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace nestor::program {

/// What functions do that were entered, kept from one exploration to the next: who enters the same
/// function with the same knowledge finds the same, be it for another handle. All explorations must
/// be for the same events, and follow the same kind of handle.
class ExploredCallees {
 public:
  /// A function that was explored with all that it calls.
  struct Callee {
    std::shared_ptr<Exploration::Component> component;
    SymbolicState entry;
    std::vector<SymbolicState> exits;    ///< by exit
    std::vector<const Callee*> callees;  ///< by box
    /// What was known of who makes the handle: functions, with the number of points.
    std::vector<std::pair<FunctionId, std::size_t>> makers;
    bool looks_inside = false;  ///< see Relevance
  };
  /// How a function is entered.
  struct Entry {
    const Relevance& relevance;
    const SymbolicState& state;
    const Tracking& tracking;
    bool is_merging = false;
  };
  /// What an exploration has of a component: none if it is not there; null if it did that itself.
  using Present = std::function<std::optional<const Callee*>(const Callee&)>;

  /// The function and all that it calls, in the order in which they would be entered now, without
  /// those that are there. Empty: it is not known what would be found.
  std::vector<const Callee*> find(const Entry& entry, const std::set<FunctionId>& releasing,
                                  const Present& present) const;
  /// What the function does alone makes a model too large.
  bool is_too_large(const Entry& entry, std::size_t most) const;
  /// Keeps what is new. `known` are the callees that components were taken from, and components
  /// that are `open` are not complete.
  void add(const Exploration& exploration, const StateTable& states,
           const std::vector<const Callee*>& known, std::vector<std::uint8_t> open,
           const Program& program, const Tracking& tracking, bool is_merging);
  /// Notes which components alone have made a model too large.
  void add_too_large(const Exploration& exploration, const StateTable& states,
                     const std::vector<const Callee*>& known, const Tracking& tracking,
                     std::size_t most);

 private:
  using Key = std::pair<std::size_t, std::uint32_t>;  // hash of the state, and of how

  static Key key_of(const Entry& entry);
  void forget();

  struct Large {
    SymbolicState entry;
    std::size_t most = 0;
  };
  std::size_t nodes_ = 0;  // of all
  std::deque<Callee> all_;
  std::map<Key, std::vector<const Callee*>> callees_;
  std::map<Key, std::vector<Large>> too_large_;
};

}  // namespace nestor::program
