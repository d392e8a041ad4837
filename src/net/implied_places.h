#pragma once

#include "base/bit_layout.h"
#include "base/id.h"
#include "base/limits.h"
#include "net/petri_net.h"

#include <cstdint>
#include <map>
#include <vector>

namespace nestor::net {

/// Of a place whose tokens follow from those of others in every marking that can be reached: the
/// constant and the tokens of others times their factors, divided by the divisor.
struct ImpliedTokens {
  struct Term {
    PlaceId place;
    std::int64_t factor = 0;
  };
  std::vector<Term> terms;
  std::int64_t constant = 0;
  std::int64_t divisor = 1;
};

using ImpliedPlaces = std::map<PlaceId, ImpliedTokens>;

/// Places that follow from the others alone, as many as are found with little work. Of those that
/// follow from each other the ones with the fewest bits are not among them; `most`: the largest
/// number of tokens that each place has room for.
ImpliedPlaces implied_places(const PetriNet& net,
                             const base::IdVector<PlaceId, std::uint32_t>& most,
                             base::LimitGuard& guard);

/// The same for states in which places are fields, fast enough to be asked for each state.
class ImpliedFields {
 public:
  using Fields = base::IdVector<PlaceId, base::BitField>;

  ImpliedFields() = default;
  /// `fields`: of all places, implied ones included.
  ImpliedFields(const ImpliedPlaces& implied, const Fields& fields);

  /// Of an implied place, from the others in `state`.
  std::uint32_t tokens(PlaceId p, base::StateView state) const {
    return sum(rows_[row_of_[p]], state);
  }
  /// Writes the implied places to a marking that has the others.
  void fill_in(base::StateBuffer marking) const {
    for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
      rows_[i].field.set(marking, sum(rows_[i], marking));
    }
  }

 private:
  struct Row {
    base::BitField field;
    std::uint32_t first = 0;  // of its terms; they end where those of the next one begin
    std::int64_t constant = 0;
    std::int64_t divisor = 1;
  };
  struct Term {
    base::BitField field;
    std::int64_t factor = 0;
  };

  std::uint32_t sum(const Row& row, base::StateView state) const {
    std::int64_t sum = row.constant;
    for (std::uint32_t i = row.first; i < (&row + 1)->first; ++i) {
      sum += terms_[i].factor * terms_[i].field.get(state);
    }
    return static_cast<std::uint32_t>(row.divisor == 1 ? sum : sum / row.divisor);
  }

  std::vector<Row> rows_;  // and one for where the last terms end
  std::vector<Term> terms_;
  base::IdVector<PlaceId, std::uint32_t> row_of_;
};

}  // namespace nestor::net
