#pragma once

#include "base/compressed_rows.h"
#include "model/pushdown_system.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace nestor::format {

using PlaceId = base::Id<struct PlaceTag>;
using ProcedureId = base::Id<struct ProcedureTag>;

/// Where a configuration can be, its lower stack aside: a head in a frame. The lowest frame, which
/// has nothing below it to return to, is told apart from the others, so a head can have two places.
struct Place {
  model::Head head;
  bool bottom = false;    ///< in the lowest frame
  bool is_entry = false;  ///< some push leads here
  ProcedureId procedure;
};

/// The procedures of a pushdown system (docs/formats.md): the places that a frame goes through
/// between a push that begins it and a pop that ends it. Procedures that share a place are one.
/// Linear in the rules, and in the pairs of a call and a control state in which it can return.
class Procedures {
 public:
  using HeadIndex = base::Id<struct HeadIndexTag>;

  explicit Procedures(const model::PushdownSystem& system);

  /// The procedure of the lowest frame.
  static constexpr ProcedureId kBottom{0};

  std::size_t count() const { return procedure_count_; }
  const base::IdVector<PlaceId, Place>& places() const { return places_; }
  /// In the order in which they were found.
  std::span<const PlaceId> places_of(ProcedureId procedure) const {
    return places_of_procedure_[procedure];
  }
  /// Not valid if no configuration gets there.
  PlaceId find(model::Head head, bool bottom) const;
  /// Heads that some place has, or some rule, numbered; not valid for others.
  HeadIndex find_head(model::Head head) const {
    const auto found = head_of_key_.find(head.key());
    return found == head_of_key_.end() ? HeadIndex() : found->second;
  }
  HeadIndex head_of(PlaceId place) const { return head_index_[place]; }
  std::size_t head_count() const { return head_of_key_.size(); }
  std::span<const model::PushdownRule* const> rules_of(PlaceId place) const {
    const HeadIndex head = head_index_[place];
    if (head.value() >= rules_by_head_.row_count()) {
      return {};  // a head without rules, met only as the target of one
    }
    return rules_by_head_[head];
  }

 private:
  /// A push from `caller` that left `below` to return to.
  struct CallSite {
    PlaceId caller;
    model::SymbolId below;
  };
  /// What is known of a procedure while places are found; of the root of its tree in parent_.
  struct Growing {
    std::vector<model::ControlId> returns;  // the control states in which it pops, ascending
    std::vector<CallSite> calls;            // of it
  };
  /// `to` belongs to the frame in which `from` is.
  struct Join {
    PlaceId from;
    model::Head to;
  };

  HeadIndex head_index(model::Head head);
  PlaceId place(model::Head head, bool bottom);
  PlaceId root(PlaceId place);
  void explore();
  void expand(PlaceId place);
  void join(const Join& join);
  void unite(PlaceId a, PlaceId b);
  void add_return(PlaceId procedure, model::ControlId control);
  void add_call(PlaceId procedure, const CallSite& call);
  void number_procedures();

  const model::PushdownSystem& system_;
  std::unordered_map<std::uint64_t, HeadIndex> head_of_key_;
  std::vector<PlaceId> place_of_head_;  // twice the head index, plus one in the lowest frame
  base::CompressedRows<HeadIndex, const model::PushdownRule*> rules_by_head_;
  base::IdVector<PlaceId, Place> places_;
  base::IdVector<PlaceId, HeadIndex> head_index_;
  base::IdVector<PlaceId, PlaceId> parent_;  // union-find
  base::IdVector<PlaceId, Growing> growing_;
  std::vector<Join> joins_;  // still to be done
  std::size_t expanded_ = 0;
  base::CompressedRows<ProcedureId, PlaceId> places_of_procedure_;
  std::size_t procedure_count_ = 0;
};

}  // namespace nestor::format
