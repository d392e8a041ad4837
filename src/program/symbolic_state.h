#pragma once

#include "base/id.h"
#include "base/pool_allocator.h"
#include "program/number_set.h"
#include "program/value.h"

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace nestor::program {

constexpr std::uint32_t kNowhere = UINT32_MAX;  ///< no symbol, or no variable

using StateId = base::Id<struct StateTag>;

/// What is known of one value: a number, the address of a variable, or a *symbol*, a value of which
/// only this is known: where else it is, and what it can be.
struct Datum {
  enum class Kind : std::uint8_t { Number, Address, Symbol };

  Kind kind = Kind::Number;
  bool is_inside = false;   ///< of a pointer: the offset is not known
  std::uint32_t id = 0;     ///< of the variable or symbol; kNowhere: the address of a function
  std::int64_t number = 0;  ///< the number, or how many bytes further

  static Datum of_number(std::int64_t number) { return {Kind::Number, false, 0, number}; }
  static Datum of_symbol(std::uint32_t symbol) { return {Kind::Symbol, false, symbol, 0}; }
  bool is_symbol(std::uint32_t symbol) const { return kind == Kind::Symbol && id == symbol; }

  friend auto operator<=>(const Datum&, const Datum&) = default;
};

/// A place that holds a value.
struct Slot {
  enum class Kind : std::uint8_t {
    Result,     ///< of a function, where it returns
    Parameter,  ///< of the function, by number
    Register,   ///< a bound value of the function
    Variable,   ///< `offset` bytes into a local or global
    Pointee,    ///< `offset` bytes into what a symbol points to
  };

  Kind kind = Kind::Register;
  std::uint32_t id = 0;
  std::int64_t offset = 0;

  static Slot of_register(ValueId value) { return {Kind::Register, value.value(), 0}; }

  friend auto operator<=>(const Slot&, const Slot&) = default;
};

struct Binding {
  Slot slot;
  Datum datum;
  VariableId location;  ///< under which name the slot is read and written; not valid for registers

  friend bool operator==(const Binding&, const Binding&) = default;
};

struct Symbol {
  NumberSet numbers = NumberSet::all();  ///< 0 is null
  bool is_object = false;  ///< of Pointer: what it points to was made here, nobody else knows it
  bool is_handle = false;  ///< the one that the model is about

  friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// A comparison that was found to be so: of terms over symbols of which nothing is known that would
/// decide it. Tested again, it comes out the same.
struct Condition {
  /// A term is written down from its top: what it does, then its operands.
  struct Token {
    bool is_symbol = false;
    std::int64_t number = 0;  ///< the symbol, or anything else
    friend auto operator<=>(const Token&, const Token&) = default;
  };

  using Term = base::PooledVector<Token>;

  Term term;
  bool is_true = false;

  friend auto operator<=>(const Condition&, const Condition&) = default;
};

/// What is known where a point of the program is reached: which places hold equal values, and what
/// these can be. What is not bound can be anything.
struct SymbolicState {
  /// Of the handle that a model is about.
  enum class Phase : std::uint8_t {
    Waiting,  ///< it is yet to be made
    Chosen,   ///< the point that makes it comes now
    Alive,    ///< it is the symbol that says so
    Lost,     ///< it was, and nothing holds it any more
    Kept,     ///< it was, and lies deeper in memory than is followed
  };

  Phase phase = Phase::Waiting;
  /// Symbols that the function was entered with come first: the caller knows them by number.
  std::uint32_t entry_symbols = 0;
  base::PooledVector<Symbol> symbols;
  base::PooledVector<Binding> bindings;  ///< sorted by slot
  base::PooledVector<Condition> conditions;

  const Binding* find(const Slot& slot) const;
  void bind(const Slot& slot, const Datum& datum, VariableId location);
  void erase(const Slot& slot);
  /// The condition is asked of each binding before any goes: it may look at the others.
  template <typename Condition>
  void erase_if(Condition condition) {
    base::PooledVector<std::uint8_t> goes;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      if (condition(bindings[i])) {
        goes.resize(bindings.size(), 0);
        goes[i] = 1;
      }
    }
    if (!goes.empty()) {
      std::size_t i = 0;
      std::erase_if(bindings, [&](const Binding&) { return goes[i++] != 0; });
    }
  }
  std::uint32_t add_symbol(Symbol symbol);
  /// False: it is known not to be so.
  bool suppose(Condition condition);
  /// The number of the handle; nothing if there is none.
  std::optional<std::uint32_t> handle() const;
  /// Nobody needs to know any more what becomes of it.
  void keep_handle();
  /// The symbol can be found from `datum` on: it is its own, or what that points to, and so on.
  bool leads_to(const Datum& datum, std::uint32_t symbol) const;
  /// All that can be found.
  base::PooledVector<std::uint8_t> reachable_symbols(base::PooledVector<Datum> from) const;

  /// Symbols get their numbers in the order in which they are met, and what says nothing goes, so
  /// that states that mean the same are equal. A handle that nothing holds is lost.
  /// With `ends_if_kept`, one that also lies where no named place leads to is kept from then on.
  void normalise(bool ends_if_kept = false);
  /// Leaves out what lies deeper than this many pointers from a named place.
  void cut(std::uint32_t deepest);

  friend bool operator==(const SymbolicState&, const SymbolicState&) = default;

 private:
  /// Something is known of what lies behind pointers.
  bool has_pointees() const {
    return !bindings.empty() && bindings.back().slot.kind == Slot::Kind::Pointee;
  }
  void lose_unnamed(bool ends_if_kept);
  void drop_conditions();
  void drop_empty();
  void renumber();
};

std::size_t hash_of(const SymbolicState& state);

/// All states of a model, each once.
class StateTable {
 public:
  StateId intern(SymbolicState state);
  const SymbolicState& operator[](StateId id) const { return states_[id.value()]; }
  std::size_t size() const { return states_.size(); }

 private:
  std::deque<SymbolicState> states_;
  std::unordered_multimap<std::size_t, std::uint32_t, std::hash<std::size_t>, std::equal_to<>,
                          base::PoolAllocator<std::pair<const std::size_t, std::uint32_t>>>
      index_;  // by hash
};

}  // namespace nestor::program
