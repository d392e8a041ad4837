#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nestor/export.h>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// Why a verdict is as it is: paths, loops and trees of them (docs/explain.md). Each has been
/// replayed before it is given out.
class NESTOR_API Witness {
 public:
  /// One state of a path.
  struct Step {
    std::string procedure;
    std::string node;
    std::size_t depth = 0;            ///< open calls
    std::vector<std::string> labels;  ///< those that the formula mentions
    std::string file;                 ///< source position; empty: unknown
    std::uint32_t line = 0;
    std::string how;  ///< it was reached: `local`, `call`, `return`, …; empty for the first one
    /// Of a net: the transition that fired on the way here, and its variables' values.
    std::string transition = {};
    struct Value {
      std::string variable;
      std::string value;
    };
    std::vector<Value> binding = {};
    std::string change = {};  ///< of a net: what that changed, `-p<1> +q<2>`
  };
  /// A claim and what shows it, possibly other pieces.
  struct Piece {
    std::string formula;
    bool holds = true;  ///< the formula does, in the first state of the path
    /// `fact`, `form`, `parts`, `next`, `until`, `always`, `path`, `all`, `decided`
    std::string kind;
    std::string ending;              ///< `here`, `dead end`, `loop`, `joins`
    std::vector<Step> path;          ///< one state if no path shows it
    std::size_t loop = 0;            ///< if it ends in a loop: where that begins
    std::vector<std::size_t> parts;  ///< pieces about operands, at the end of the path
    std::vector<std::size_t> along;  ///< pieces about the states on it
  };

  bool holds() const;                 ///< the formula does
  const std::string& engine() const;  ///< whose values it was read off
  std::size_t size() const;           ///< pieces
  Piece piece(std::size_t number) const;
  std::vector<std::size_t> roots() const;  ///< pieces, one an initial state
  /// The path of the first root, and on from its end as the pieces there go on.
  std::vector<Step> steps() const;

  /// For people: states of a net or another explored model by what changes, or whole.
  std::string text(bool whole_states = false) const;
  std::string json() const;                            ///< one object, which replay() reads
  std::string dot(std::string_view title = {}) const;  ///< a Graphviz graph

  struct Impl;  ///< of the library

 private:
  friend class WitnessAccess;
  explicit Witness(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace nestor
