#pragma once

#include "base/id.h"
#include "base/string_pool.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::model {

using ControlId = base::Id<struct ControlTag>;
using SymbolId = base::Id<struct SymbolTag>;

/// What a step looks at: the control state and the topmost stack symbol.
struct Head {
  ControlId control;
  SymbolId symbol;

  friend bool operator==(const Head&, const Head&) = default;
  std::uint64_t key() const { return std::uint64_t{control.value()} << 32 | symbol.value(); }
};

/// `(control, symbol w) -> (target, first second w)`. A pop has neither `first` nor `second`, a
/// rewrite has no `second`.
struct PushdownRule {
  Head head;
  ControlId target;
  SymbolId first;
  SymbolId second;

  bool is_pop() const { return !first.valid(); }
  bool is_push() const { return second.valid(); }
};

/// A pushdown system whose configurations `(p, g w)` are labelled by their head `(p, g)`: with the
/// propositions of `p`, those of `g` and those of `(p, g)` itself. A configuration with an empty
/// stack carries those of its control state and has no successors; nor has one that no rule fits.
class PushdownSystem {
 public:
  struct ControlLabel {
    ControlId control;
    base::StringId proposition;
  };
  struct SymbolLabel {
    SymbolId symbol;
    base::StringId proposition;
  };
  struct HeadLabel {
    Head head;
    base::StringId proposition;
  };

  /// Control states and stack symbols have name spaces of their own.
  ControlId control(std::string_view name) { return control(strings_.intern(name)); }
  SymbolId symbol(std::string_view name) { return symbol(strings_.intern(name)); }
  ControlId control(base::StringId name) {
    return declare<ControlId>(name, controls_, control_of_);
  }
  SymbolId symbol(base::StringId name) { return declare<SymbolId>(name, symbols_, symbol_of_); }
  /// Not valid if there is none of that name.
  ControlId find_control(base::StringId name) const { return find<ControlId>(name, control_of_); }
  SymbolId find_symbol(base::StringId name) const { return find<SymbolId>(name, symbol_of_); }
  base::StringId intern(std::string_view text) { return strings_.intern(text); }

  void rule(const PushdownRule& rule) { rules_.push_back(rule); }
  void pop(Head head, ControlId target) { rule({head, target, {}, {}}); }
  void rewrite(Head head, ControlId target, SymbolId first) { rule({head, target, first, {}}); }
  void push(Head head, ControlId target, SymbolId first, SymbolId second) {
    rule({head, target, first, second});
  }
  void label(ControlId control, base::StringId proposition) {
    control_labels_.push_back({control, proposition});
  }
  void label(SymbolId symbol, base::StringId proposition) {
    symbol_labels_.push_back({symbol, proposition});
  }
  void label(Head head, base::StringId proposition) { head_labels_.push_back({head, proposition}); }
  /// A configuration with this head and nothing else on its stack is initial.
  void initial(Head head) { initial_.push_back(head); }

  std::size_t control_count() const { return controls_.size(); }
  std::size_t symbol_count() const { return symbols_.size(); }
  std::string_view name(ControlId control) const { return strings_[controls_[control]]; }
  std::string_view name(SymbolId symbol) const { return strings_[symbols_[symbol]]; }
  std::string_view string(base::StringId id) const { return strings_[id]; }
  base::IdRange<ControlId> controls() const { return controls_.ids(); }
  base::IdRange<SymbolId> symbols() const { return symbols_.ids(); }
  std::span<const PushdownRule> rules() const { return rules_; }
  std::span<const Head> initial_heads() const { return initial_; }
  std::span<const ControlLabel> control_labels() const { return control_labels_; }
  std::span<const SymbolLabel> symbol_labels() const { return symbol_labels_; }
  std::span<const HeadLabel> head_labels() const { return head_labels_; }

 private:
  template <class IdT>
  static IdT find(base::StringId name, const std::vector<IdT>& of) {
    return name.valid() && name.value() < of.size() ? of[name.value()] : IdT();
  }
  template <class IdT>
  static IdT declare(base::StringId name, base::IdVector<IdT, base::StringId>& names,
                     std::vector<IdT>& of) {
    if (name.value() >= of.size()) {
      of.resize(name.value() + 1);
    }
    IdT& id = of[name.value()];
    if (!id.valid()) {
      id = names.push_back(name);
    }
    return id;
  }

  base::StringPool strings_;
  base::IdVector<ControlId, base::StringId> controls_;
  base::IdVector<SymbolId, base::StringId> symbols_;
  std::vector<ControlId> control_of_;  // by StringId
  std::vector<SymbolId> symbol_of_;    // by StringId
  std::vector<PushdownRule> rules_;
  std::vector<Head> initial_;
  std::vector<ControlLabel> control_labels_;
  std::vector<SymbolLabel> symbol_labels_;
  std::vector<HeadLabel> head_labels_;
};

/// The propositions that label something, each once, in the order in which they were met.
std::vector<std::string> propositions_of(const PushdownSystem& system);

}  // namespace nestor::model
