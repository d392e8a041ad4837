#pragma once

#include "base/error.h"
#include "model/builder.h"
#include "model/pushdown_system.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace nestor::format {

/// The `ATOMS` lines of a file. Files differ in what comes first, so the lines are kept until all
/// states and symbols are known and then read one way or the other, the same way in a whole file.
class Atoms {
 public:
  enum class Order : std::uint8_t {
    Unknown,
    PropositionFirst,  ///< `ATOMS prop state, state`
    StateFirst,        ///< `ATOMS state prop, prop`
  };
  /// `name`, `<symbol>` or `state<symbol>`. A quoted name is a proposition and nothing else.
  struct Item {
    base::StringId name;    ///< or the state of `state<symbol>`; not valid in `<symbol>`
    base::StringId symbol;  ///< not valid in `name`
    bool quoted = false;
    base::Offset at = 0;
  };

  /// `fail` throws an Error for a place in the file.
  using Fail = std::function<void(const std::string& message, base::Offset at)>;

  /// The file says so in a comment.
  void set_order(Order order) { order_ = order; }
  /// Begins a line with its first item; the others follow.
  void line(const Item& first) { lines_.push_back({first, rest_.size()}); }
  void item(const Item& item) { rest_.push_back(item); }

  /// Adds the labels to the system.
  void apply(model::PushdownSystem& system, const Fail& fail);

 private:
  struct Line {
    Item first;
    std::size_t begin;  // its other items in rest_
  };

  std::span<const Item> rest_of(std::size_t line) const;
  static bool names_place(const model::PushdownSystem& system, const Item& item);
  static bool can_be_proposition(const Item& item) { return !item.symbol.valid(); }
  Order order_of(const model::PushdownSystem& system, std::size_t line, const Fail& fail) const;
  bool says_nothing_about_order(std::size_t line) const;
  Order decide(const model::PushdownSystem& system, const Fail& fail) const;
  static void label(model::PushdownSystem& system, const Item& place, const Item& proposition,
                    const Fail& fail);

  Order order_ = Order::Unknown;
  std::vector<Line> lines_;
  std::vector<Item> rest_;
};

}  // namespace nestor::format
