#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nestor::net {

/// A tuple of numbers, each the place of a constant in its sort.
using Colour = std::vector<std::uint32_t>;
using ColourBag = std::map<Colour, std::int64_t>;

/// What colours there are: the constants of a simple sort, or the tuples of a product.
struct Sort {
  std::vector<std::string> names;  ///< of the constants of a simple sort
  std::vector<const Sort*> parts;  ///< of a product
  std::vector<const Sort*> simple() const {
    return parts.empty() ? std::vector<const Sort*>{this} : parts;
  }
};

/// A value for each variable of the net.
using Binding = std::vector<std::uint32_t>;

/// A term of an inscription or a guard.
struct ColourTerm {
  enum class Kind : std::uint8_t {
    Constant,
    Variable,
    Step,
    All,
    Tuple,
    Sum,
    Difference,
    Times,
    And,
    Or,
    Not,
    Implies,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual
  };
  Kind kind = Kind::Constant;
  const Sort* sort = nullptr;  ///< of single colours
  std::uint32_t number = 0;    ///< of a constant, a variable; of Step: how far; of Times
  std::vector<ColourTerm> operands;
};

/// Whether a guard holds.
bool holds(const ColourTerm& guard, const Binding& binding);
/// The tokens that an inscription stands for.
ColourBag bag(const ColourTerm& term, const Binding& binding);
void variables_in(const ColourTerm& term, std::set<std::uint32_t>& found);

}  // namespace nestor::net
