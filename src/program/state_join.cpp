#include "program/state_join.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace nestor::program {

namespace {

constexpr int kDeepestShape = 6;  // pointers; what is named lies less deep

/// The bindings of what lies where a symbol points to.
struct Pointees {
  const Binding* first;
  const Binding* last;
  const Binding* begin() const { return first; }
  const Binding* end() const { return last; }
};

Pointees pointees_of(const SymbolicState& state, std::uint32_t symbol) {
  const auto before = [](const Binding& binding, const Slot& slot) { return binding.slot < slot; };
  const Slot low{Slot::Kind::Pointee, symbol, std::numeric_limits<std::int64_t>::min()};
  const Slot high{Slot::Kind::Pointee, symbol + 1, std::numeric_limits<std::int64_t>::min()};
  const Binding* start = state.bindings.data();
  const Binding* end = start + state.bindings.size();
  const Binding* first = std::lower_bound(start, end, low, before);
  return {first, std::lower_bound(first, end, high, before)};
}

class ShapeWriter {
 public:
  ShapeWriter(const SymbolicState& state, std::uint32_t handle, std::vector<std::int64_t>& shape)
      : state_(state), handle_(handle), shape_(shape) {}

  void write_from(const Datum& datum) {
    if (datum.kind != Datum::Kind::Symbol || static_cast<int>(path_.size()) > kDeepestShape + 3) {
      return;
    }
    if (datum.id == handle_) {
      shape_.push_back(static_cast<std::int64_t>(path_.size()));
      shape_.insert(shape_.end(), path_.begin(), path_.end());
      shape_.push_back(datum.number);
      shape_.push_back(datum.is_inside ? 1 : 0);
      return;
    }
    for (const Binding& binding : pointees_of(state_, datum.id)) {
      path_.push_back(binding.slot.offset);
      write_from(binding.datum);
      path_.pop_back();
    }
  }

  void write_name(std::int64_t kind, std::int64_t id, std::int64_t offset, const Datum& datum) {
    path_ = {kind, id, offset};
    write_from(datum);
  }

 private:
  const SymbolicState& state_;
  const std::uint32_t handle_;
  std::vector<std::int64_t>& shape_;
  std::vector<std::int64_t> path_;
};

/// What a datum can be, as far as a symbol can say it.
NumberSet numbers_of_datum(const Datum& datum, const SymbolicState& state) {
  switch (datum.kind) {
    case Datum::Kind::Number:
      return NumberSet::only(datum.number);
    case Datum::Kind::Address:
      return NumberSet::except(0);
    default:
      return datum.number == 0 && !datum.is_inside ? state.symbols[datum.id].numbers
                                                   : NumberSet::all();
  }
}

class Joiner {
 public:
  Joiner(const SymbolicState& a, const SymbolicState& b, bool widens)
      : a_(a), b_(b), widens_(widens) {}

  SymbolicState run() {
    result_.phase = a_.phase;
    for (std::uint32_t i = 0; i < a_.entry_symbols; ++i) {
      meet(Datum::of_symbol(i), Datum::of_symbol(i));
    }
    result_.entry_symbols = a_.entry_symbols;
    auto other = b_.bindings.begin();
    for (const Binding& binding : a_.bindings) {
      if (binding.slot.kind == Slot::Kind::Pointee) {
        break;  // they come last
      }
      while (other != b_.bindings.end() && other->slot < binding.slot) {
        ++other;
      }
      if (other != b_.bindings.end() && other->slot == binding.slot) {
        bind(binding.slot, binding, *other);
      }
    }
    // What both lead to.
    for (std::size_t next = 0; next < pairs_.size(); ++next) {
      const Pair pair = pairs_[next];
      if (pair.a.kind != Datum::Kind::Symbol || pair.b.kind != Datum::Kind::Symbol) {
        continue;
      }
      const Pointees others = pointees_of(b_, pair.b.id);
      for (const Binding& binding : pointees_of(a_, pair.a.id)) {
        const Binding* same = std::find_if(others.begin(), others.end(), [&](const Binding& one) {
          return one.slot.offset == binding.slot.offset;
        });
        if (same != others.end()) {
          bind({Slot::Kind::Pointee, static_cast<std::uint32_t>(next), binding.slot.offset},
               binding, *same);
        }
      }
    }
    join_conditions();
    result_.normalise();
    return std::move(result_);
  }

 private:
  struct Pair {
    Datum a;
    Datum b;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  /// The symbol for what is one thing in the first state and another in the second.
  std::uint32_t meet(const Datum& a, const Datum& b) {
    const Pair pair{a, b};
    const auto found = std::find(pairs_.begin(), pairs_.end(), pair);
    if (found != pairs_.end()) {
      return static_cast<std::uint32_t>(found - pairs_.begin());
    }
    Symbol symbol;
    const NumberSet numbers = numbers_of_datum(a, a_);
    const NumberSet others = numbers_of_datum(b, b_);
    symbol.numbers = numbers == others ? numbers
                     : widens_         ? NumberSet::all()
                                       : numbers.join(others);
    if (a.kind == Datum::Kind::Symbol && b.kind == Datum::Kind::Symbol) {
      symbol.is_object = a_.symbols[a.id].is_object && b_.symbols[b.id].is_object;
      symbol.is_handle = a_.symbols[a.id].is_handle && b_.symbols[b.id].is_handle;
    }
    pairs_.push_back(pair);
    return result_.add_symbol(symbol);
  }

  void bind(const Slot& slot, const Binding& a, const Binding& b) {
    if (a.datum == b.datum && a.datum.kind != Datum::Kind::Symbol) {
      result_.bind(slot, a.datum, a.location);
      return;
    }
    const bool are_symbols =
        a.datum.kind == Datum::Kind::Symbol && b.datum.kind == Datum::Kind::Symbol;
    if (are_symbols && a.datum.number == b.datum.number && a.datum.is_inside == b.datum.is_inside) {
      Datum datum = a.datum;
      datum.id = meet(Datum::of_symbol(a.datum.id), Datum::of_symbol(b.datum.id));
      result_.bind(slot, datum, a.location);
      return;
    }
    const auto is_plain = [](const Datum& datum) {
      return datum.kind != Datum::Kind::Symbol || (datum.number == 0 && !datum.is_inside);
    };
    if (is_plain(a.datum) && is_plain(b.datum)) {
      result_.bind(slot, Datum::of_symbol(meet(a.datum, b.datum)), a.location);
    }
  }

  /// Those that both have, of the same things.
  void join_conditions() {
    for (const Condition& one : a_.conditions) {
      for (const Condition& other : b_.conditions) {
        if (one.is_true == other.is_true && one.term.size() == other.term.size()) {
          if (std::optional<Condition> both = condition_of(one, other)) {
            result_.conditions.push_back(std::move(*both));
            break;
          }
        }
      }
    }
  }

  std::optional<Condition> condition_of(const Condition& one, const Condition& other) const {
    Condition both = one;
    for (std::size_t i = 0; i < one.term.size(); ++i) {
      const Condition::Token& a = one.term[i];
      const Condition::Token& b = other.term[i];
      if (a.is_symbol != b.is_symbol || (!a.is_symbol && a.number != b.number)) {
        return std::nullopt;
      }
      if (a.is_symbol) {
        const Pair pair{Datum::of_symbol(static_cast<std::uint32_t>(a.number)),
                        Datum::of_symbol(static_cast<std::uint32_t>(b.number))};
        const auto found = std::find(pairs_.begin(), pairs_.end(), pair);
        if (found == pairs_.end()) {
          return std::nullopt;
        }
        both.term[i].number = found - pairs_.begin();
      }
    }
    return both;
  }

  const SymbolicState& a_;
  const SymbolicState& b_;
  const bool widens_;
  std::vector<Pair> pairs_;  // by symbol of the result
  SymbolicState result_;
};

}  // namespace

std::vector<std::int64_t> shape_of(const SymbolicState& state) {
  std::vector<std::int64_t> shape = {static_cast<std::int64_t>(state.phase)};
  // What callers are told apart by.
  if (const Binding* result = state.find({Slot::Kind::Result, 0, 0});
      result != nullptr && result->datum.kind == Datum::Kind::Number) {
    shape.push_back(result->datum.number);
  }
  const std::optional<std::uint32_t> handle = state.handle();
  if (!handle) {
    return shape;
  }
  shape.push_back(state.symbols[*handle].is_object ? 1 : 0);
  for (const NumberSet::Range& range : state.symbols[*handle].numbers) {
    shape.push_back(range.low);
    shape.push_back(range.high);
  }
  ShapeWriter writer(state, *handle, shape);
  for (std::uint32_t i = 0; i < state.entry_symbols; ++i) {
    writer.write_name(-1, i, 0, Datum::of_symbol(i));
  }
  for (const Binding& binding : state.bindings) {
    if (binding.slot.kind != Slot::Kind::Pointee) {
      writer.write_name(static_cast<std::int64_t>(binding.slot.kind), binding.slot.id,
                        binding.slot.offset, binding.datum);
    }
  }
  return shape;
}

SymbolicState joined(const SymbolicState& a, const SymbolicState& b, bool widens) {
  return Joiner(a, b, widens).run();
}

}  // namespace nestor::program
