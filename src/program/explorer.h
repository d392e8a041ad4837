#pragma once

#include "program/semantics.h"
#include "program/slice.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nestor::program {

class ExploredCallees;

/// Says what a model that follows values is to show of a point.
class HandleEvents {
 public:
  virtual ~HandleEvents() = default;
  /// There is something to show.
  virtual bool has(FunctionId function, bool is_outermost, std::uint32_t point,
                   const Happenings& happenings) const = 0;
  /// Appends the propositions of a point.
  virtual void of(FunctionId function, bool is_outermost, std::uint32_t point,
                  const Happenings& happenings, std::vector<std::string>& labels) const = 0;
  /// A call that is an event is taken for what the rule says of it, and not entered.
  virtual bool is_event(const Point& call) const = 0;
  /// A call whose arguments are the handle where a bit is set ends it, or hands it on.
  virtual bool is_end(const Point& call, std::uint32_t arguments) const = 0;
  /// Where nothing is done to the handle, there is nothing to show but the ends of functions.
  virtual bool sees_only_handle() const = 0;
  /// What is asked of a model is known if these are all propositions that it has.
  virtual bool is_settled_by(const std::set<std::string, std::less<>>& propositions) const {
    static_cast<void>(propositions);
    return false;
  }
};

struct ExploredModel {
  SlicedModel sliced;
  /// Some path comes back to the caller of the root with the handle.
  bool outlives_root = false;
  std::size_t steps = 0;      ///< that were taken, from nodes whose state has changed also again
  bool is_too_large = false;  ///< nothing of what follows is filled
  /// HandleEvents::is_settled_by() its propositions: `sliced` is not filled.
  bool is_settled = false;
  /// Where the first function has come to an end, the handle is, or can be found from, its result;
  /// or something that others have.
  bool is_given = false;
  bool is_stored = false;
  std::set<std::string, std::less<>> propositions;
  /// Functions that release or keep the handle (or write where nothing was, or null) on some paths,
  /// and on others do not.
  std::set<FunctionId> releasing;
  /// For a function that is entered, a call of the root that leads to it.
  std::map<FunctionId, std::uint32_t> entered_at;
};

/// Which states of a point are nodes of their own.
enum class States : std::uint8_t {
  All,
  Merged,  ///< those that differ in what became of the handle: there may be more paths then
};

/// The recursive state machine of what can happen to one handle from `root` on: a component is a
/// function with what is known where it is entered, a node is a point with what is known there.
/// `callees` has what earlier explorations found, if any.
ExploredModel explore(ProgramIndex& index, FunctionId root, const Tracking& tracking,
                      const HandleEvents& events, Reduction reduction, States how = States::All,
                      ExploredCallees* callees = nullptr);

}  // namespace nestor::program
