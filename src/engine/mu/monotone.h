#pragma once

#include "base/id.h"
#include "base/limits.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::mu {

using Function = base::Id<struct FunctionTag>;
using AtomId = base::Id<struct AtomTag>;

/// Monotone Boolean functions of atoms, hash-consed: equal functions have equal ids. They are
/// ordered decision diagrams (R. E. Bryant, IEEE Transactions on Computers 35(8), 1986); since what
/// is false for an atom that is false stays so, neither negation nor if-then-else is needed.
class MonotoneFunctions {
 public:
  static constexpr Function kFalse{0};
  static constexpr Function kTrue{1};
  /// A diagram has a level for each atom, and the C++ stack a frame.
  static constexpr std::size_t kMostAtoms = 2000;

  /// The guard is ticked for each node of a diagram. All functions below throw LimitReached.
  explicit MonotoneFunctions(base::LimitGuard& guard);

  Function atom(AtomId atom) { return make(atom, kTrue, kFalse); }
  Function both(Function f, Function g) { return combine(Operation::Both, f, g); }
  Function either(Function f, Function g) { return combine(Operation::Either, f, g); }

  static bool is_constant(Function f) { return f.value() < 2; }
  /// The atoms that `f` depends on, ascending.
  std::vector<AtomId> atoms_of(Function f);
  /// `f` with a function for each atom: values[i] for atoms[i], where atoms are those of `f`.
  Function substitute(Function f, const std::vector<AtomId>& atoms,
                      const std::vector<Function>& values);

  std::size_t size() const { return nodes_.size(); }

 private:
  enum class Operation : std::uint8_t { Both, Either };
  struct Node {
    AtomId atom;    // not valid in the two constants
    Function high;  // for the atom true; implied by `low`
    Function low;   // for the atom false
  };
  struct Known {
    Function f;
    Function g;
    Function result;
    Operation operation = Operation::Both;
  };
  struct Visited {
    std::uint32_t walk = 0;  // the last walk that came here
    Function result;         // of that walk
  };

  Function make(AtomId atom, Function high, Function low);
  void grow();
  Function combine(Operation operation, Function f, Function g);
  Function replace(Function f);
  void collect(Function f, std::vector<AtomId>& atoms);
  void begin_walk();

  base::LimitGuard& guard_;
  base::IdVector<Function, Node> nodes_;
  std::vector<Function> slots_;  // hash table, open addressing, a power of two of them
  std::vector<Known> known_;     // results of combine(), by hash; the last one stays
  base::IdVector<Function, Visited> visited_;
  std::uint32_t walk_ = 0;
  base::IdVector<AtomId, Function> value_of_;  // in substitute()
};

}  // namespace nestor::engine::mu
