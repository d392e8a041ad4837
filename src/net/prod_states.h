#pragma once

#include "model/successor_function.h"
#include "net/marking_layout.h"
#include "net/net_atom.h"
#include "net/prod_binder.h"
#include "net/prod_model.h"
#include "net/tuple_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::net {

/// The markings of a predicate/transition net as states. Transitions are bound in each marking, to
/// the tuples that are there (K. Heljanko's report, section 2.5: an instance of a transition for
/// each way to bind its variables); nothing is enumerated before, so domains may be infinite. A
/// marking is a sorted multiset of numbered tuples, packed into bits; when it needs more of them,
/// all states become wider.
class ProdStates final : public model::SuccessorFunction {
 public:
  explicit ProdStates(std::shared_ptr<const ProdModel> model);

  const std::shared_ptr<const ProdModel>& model() const { return model_; }

  std::size_t state_words() const override { return now_.layout.words(); }
  std::size_t state_bits() const override { return now_.layout.bits(); }
  void initial_states(model::StateSink& sink) override;
  bool successors(base::StateView state, model::StateSink& sink) override;
  std::size_t wider_words() const override { return wider_.layout.words(); }
  void widen(base::StateView before, base::StateBuffer wider) const override;
  bool is_wider_for_growth() const override { return wider_.has_grown; }
  /// For each place the tuples in their order, with the count of each.
  void write_portable(base::StateView state, std::vector<std::uint32_t>& portable) const override;
  std::size_t portable_words() const override { return 0; }
  bool read_portable(std::span<const std::uint32_t> portable, base::StateBuffer state) override;
  bool strictly_covers(base::StateView above, base::StateView below) const override;
  Proposition find_proposition(std::string_view atom) override;
  bool holds(std::uint32_t proposition, base::StateView state) const override;
  /// Of every tuple seen so far, in the order of the places and tuples; of each place, if there are
  /// many.
  std::vector<std::string> propositions() const override;
  std::vector<std::string> all_propositions() const override;
  std::string describe(base::StateView state) const override;
  std::optional<std::string> describe_part(base::StateView state,
                                           std::string_view part) const override;
  std::optional<model::StepName> find_step(base::StateView from, base::StateView to) const override;
  std::string describe_change(base::StateView from, base::StateView to) const override;

 private:
  /// A factor times the tokens of one tuple in a place, or of all.
  struct Term {
    std::int64_t factor = 0;
    std::size_t place = 0;
    std::uint32_t tuple = TupleTable::kAbsent;  // all
  };
  /// What an atom means: some transition can fire, none can, or a sum compares so with zero.
  struct Meaning {
    enum class Kind : std::uint8_t { Comparison, Fireable, Deadlock };

    Kind kind = Kind::Deadlock;
    NetAtom::Comparison comparison = NetAtom::Comparison::Less;
    std::vector<Term> terms = {};
    std::int64_t constant = 0;
    std::vector<std::size_t> transitions = {};
  };
  /// How markings are packed.
  struct Width {
    MarkingLayout layout;
    std::vector<std::uint32_t> next;  // the marking being made
    bool has_grown = false;           // a place has got more tokens than it ever had
  };
  struct Change {
    std::size_t place = 0;
    std::uint32_t tuple = 0;
    std::int64_t count = 0;

    friend bool operator==(const Change&, const Change&) = default;
  };
  /// A place after a firing.
  struct Place {
    std::size_t kinds = 0;     // different tuples
    std::uint64_t total = 0;   // tokens
    std::uint32_t tuples = 0;  // the numbers of those that changed are below
    bool fits = true;
  };
  class Firing;
  class FirstMode;
  class StepSearch;

  Width lay_out() const;
  void take_wider() noexcept override { std::swap(now_, wider_); }
  bool fire(const FiringMode& mode);
  void give(const FiringMode& mode, const ProdNet::Pattern& pattern);
  Place change_place(std::span<const Change> changes);
  void make_room(std::size_t place, const Place& after);
  bool can_fire(std::size_t transition, base::StateView state) const;
  Proposition understand(const NetAtom& atom, Meaning& meaning);
  /// What `to` has more or less than `from`, by place and tuple.
  std::vector<Change> difference(base::StateView from, base::StateView to) const;
  static void sum_up(std::vector<Change>& changes);
  void append(std::string& text, base::StateView state, std::size_t place,
              std::optional<std::uint32_t> tuple) const;
  /// In order.
  std::vector<ProdNet::Tuple> seen_in(std::size_t place) const;
  Tokens in_order(base::StateView state, std::size_t place) const;

  std::shared_ptr<const ProdModel> model_;
  std::vector<TupleTable> tuples_;          // by place
  std::vector<PlaceRoom> rooms_;            // what the next layout must have
  std::vector<std::uint64_t> most_tokens_;  // by place: a power of two, for is_wider_for_growth()
  Width now_;
  Width wider_;  // of the firing that did not fit last
  std::map<std::string, std::uint32_t, std::less<>> known_atoms_;
  std::vector<Meaning> meanings_;

  // What finding successors needs.
  mutable ProdBinder binder_;
  mutable OpenMarking marking_;
  std::vector<Change> changes_;
  std::vector<std::int64_t> tuple_;
  Tokens tokens_;
};

}  // namespace nestor::net
