#pragma once

#include "net/symmetric_net.h"

#include <cstdint>
#include <vector>

namespace nestor::net {

/// Where colours come from and where they go in a symmetric net, found without unfolding it: which
/// values a part of a token's colour may have at all, and which parts make no difference. After
///   A. Bilgram, P. G. Jensen, T. Pedersen, J. Srba, P. H. Taankvist: Improvements in unfolding of
///   colored Petri nets.  RP 2021 (colour fixpoints, quotienting),
/// with sets of values instead of intervals, and parts that are merged as a whole or not at all.
class ColourFlow {
 public:
  explicit ColourFlow(const SymmetricNet& net);

  using Values = std::vector<bool>;

  /// The values that a variable may have where transition `t` fires.
  const Values& values(std::size_t t, std::uint32_t variable) const {
    return variables_[t][variable];
  }
  /// True unless tokens in the place that differ in this part alone can be exchanged for each
  /// other.
  bool matters(std::size_t place, std::size_t part) const { return matters_[place][part]; }
  bool merges_something() const;
  /// True if the variable's value decides where transition `t` fires, or what it does.
  bool matters_to(std::size_t t, std::uint32_t variable) const;

 private:
  /// A part of a colour in an inscription.
  struct Part {
    const ColourTerm* term = nullptr;  // a single value, or All
    std::size_t place = 0;
    std::size_t part = 0;
    bool is_exact = true;  // exactly one token of the colour, whatever else the arc has
    bool is_sure = true;   // the token is really there: nothing is subtracted
  };
  struct Parts {
    std::vector<Part> inputs;
    std::vector<Part> outputs;
  };

  void collect(const ColourTerm& term, std::size_t place, bool is_exact, bool is_sure,
               std::vector<Part>& parts) const;
  void find_values();
  bool flow_through(std::size_t t);
  void find_what_matters();
  static bool speaks_of(const Part& part, std::uint32_t variable);
  /// The part says something with the variable that makes a difference.
  bool needs(const Part& part, std::uint32_t variable) const;
  bool is_exchangeable(std::size_t t, const Part& input) const;

  const SymmetricNet& net_;
  std::vector<Parts> parts_;                    // by transition
  std::vector<std::vector<Values>> places_;     // by place and part
  std::vector<std::vector<Values>> variables_;  // by transition and variable
  std::vector<std::vector<bool>> matters_;      // by place and part
  std::vector<std::vector<bool>> is_guarded_;   // by transition and variable
};

}  // namespace nestor::net
