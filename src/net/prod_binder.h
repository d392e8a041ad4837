#pragma once

#include "base/bit_layout.h"
#include "net/marking_layout.h"
#include "net/prod_model.h"
#include "net/tuple_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::net {

/// The tokens of a packed marking, place by place, read when they are asked for.
class OpenMarking {
 public:
  explicit OpenMarking(std::size_t places) : tokens_(places), totals_(places), is_read_(places) {}

  /// The state must stay as it is while this is used.
  void open(const MarkingLayout& layout, base::StateView state);
  const Tokens& operator[](std::size_t place) {
    if (is_read_[place] == 0) {
      read(place);
    }
    return tokens_[place];
  }
  /// How many there are, of all tuples.
  std::uint64_t total(std::size_t place) {
    (*this)[place];
    return totals_[place];
  }

 private:
  void read(std::size_t place);

  const MarkingLayout* layout_ = nullptr;
  base::StateView state_;
  std::vector<Tokens> tokens_;
  std::vector<std::uint64_t> totals_;
  std::vector<std::uint8_t> is_read_;
};

/// A way in which a transition can fire.
struct FiringMode {
  struct Taken {
    std::size_t place = 0;
    std::uint32_t tuple = 0;
    std::uint32_t count = 0;
  };
  std::size_t transition = 0;
  const ProdBinding& binding;
  std::span<const Taken> taken;
};

/// Finds the bindings under which transitions can fire in a marking: the inputs are unified with
/// the tuples that are there, those first that leave least to choose; gates and computations are
/// evaluated as soon as their variables have values.
class ProdBinder {
 public:
  /// Both must outlive this.
  ProdBinder(const ProdModel& model, const std::vector<TupleTable>& tuples);

  class Visitor {
   public:
    /// False: enough.
    virtual bool visit(const FiringMode& mode) = 0;
    /// Called for each tuple that is tried. May throw LimitReached.
    virtual void tick() = 0;

   protected:
    ~Visitor() = default;
  };
  /// Every mode of the transition, each once. False if the visitor had enough. Throws Error for an
  /// expression without a value, if it matters: the tuples are there, and no gate is false.
  bool bind(std::size_t transition, OpenMarking& marking, Visitor& visitor);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kImpossible = kNone - 1;

  /// An input that has its tuple, and what was known before it.
  struct Chosen {
    std::size_t input = 0;
    std::size_t next = 0;  // which candidate is next
    ProdVariables bound = 0;
    std::size_t computed = 0;
    const ProdExpression* undefined = nullptr;
    std::size_t taken = 0;
    std::uint32_t tuple = TupleTable::kAbsent;
    bool is_checked = true;  // every field was compared
  };

  std::size_t choose_input();
  bool choose_tuple(Chosen& chosen, Visitor& visitor);
  bool look_up(Chosen& chosen);
  bool match(Chosen& chosen, const TupleCount& candidate);
  bool take(std::size_t place, const TupleCount& there, std::int64_t count);
  bool conclude(ProdVariables before, bool is_first);
  void compute();
  bool check_late();
  std::optional<std::int64_t> value(const ProdExpression& expression);
  bool is_bound(ProdVariables variables) const { return (variables & ~bound_) == 0; }

  const ProdModel& model_;
  const std::vector<TupleTable>& tuples_;
  // Of the transition being bound:
  const ProdTransition* transition_ = nullptr;
  OpenMarking* marking_ = nullptr;
  ProdBinding binding_;
  ProdVariables bound_ = 0;                    // that have values, or are known to have none
  std::size_t computed_ = 0;                   // assignments done
  const ProdExpression* undefined_ = nullptr;  // the first that has no value
  std::vector<Chosen> chosen_;
  std::vector<std::uint8_t> is_chosen_;  // by input
  std::vector<FiringMode::Taken> taken_;
  std::vector<std::int64_t> tuple_;  // being made
};

}  // namespace nestor::net
