#include "format/pds/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>
#include <string>

namespace nestor::format {

std::span<const Atoms::Item> Atoms::rest_of(std::size_t line) const {
  const std::size_t end = line + 1 < lines_.size() ? lines_[line + 1].begin : rest_.size();
  return std::span(rest_).subspan(lines_[line].begin, end - lines_[line].begin);
}

bool Atoms::names_place(const model::PushdownSystem& system, const Item& item) {
  if (item.quoted) {
    return false;
  }
  if (!item.symbol.valid()) {
    return system.find_control(item.name).valid() || system.find_symbol(item.name).valid();
  }
  return system.find_symbol(item.symbol).valid() &&
         (!item.name.valid() || system.find_control(item.name).valid());
}

/// `ATOMS q q` means the same either way.
bool Atoms::says_nothing_about_order(std::size_t line) const {
  const Item& first = lines_[line].first;
  const std::span<const Item> rest = rest_of(line);
  return rest.empty() || (rest.size() == 1 && can_be_proposition(first) &&
                          can_be_proposition(rest[0]) && first.name == rest[0].name);
}

/// The one order in which the line makes sense; Unknown if it does in both.
Atoms::Order Atoms::order_of(const model::PushdownSystem& system, std::size_t line,
                             const Fail& fail) const {
  const Item& first = lines_[line].first;
  const std::span<const Item> rest = rest_of(line);
  const auto unknown = std::find_if(rest.begin(), rest.end(),
                                    [&](const Item& item) { return !names_place(system, item); });
  const bool proposition_first = can_be_proposition(first) && unknown == rest.end();
  const bool state_first =
      names_place(system, first) && std::all_of(rest.begin(), rest.end(), can_be_proposition);
  if (!proposition_first && !state_first) {
    // Blame the first item if nothing speaks for its being a proposition.
    const bool blame_first = std::none_of(rest.begin(), rest.end(), [&](const Item& item) {
      return item.symbol.valid() || names_place(system, item);
    });
    const Item& at = blame_first || unknown == rest.end() ? first : *unknown;
    const base::StringId name = at.symbol.valid() && !system.find_symbol(at.symbol).valid()
                                    ? at.symbol
                                    : (at.name.valid() ? at.name : at.symbol);
    fail(
        fmt::format("'{}' is no control state or stack symbol of this system", system.string(name)),
        at.at);
  }
  if (proposition_first && state_first) {
    return Order::Unknown;
  }
  return proposition_first ? Order::PropositionFirst : Order::StateFirst;
}

Atoms::Order Atoms::decide(const model::PushdownSystem& system, const Fail& fail) const {
  Order order = order_;
  std::size_t ambiguous = lines_.size();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Order here = order_of(system, i, fail);
    if (here == Order::Unknown) {
      if (!says_nothing_about_order(i)) {
        ambiguous = std::min(ambiguous, i);
      }
    } else if (order == Order::Unknown) {
      order = here;
    } else if (order != here && !says_nothing_about_order(i)) {
      fail(fmt::format("this ATOMS line begins with the {}, those before it (or the file's "
                       "comment) say that the {} comes first",
                       here == Order::StateFirst ? "state" : "proposition",
                       order == Order::StateFirst ? "state" : "proposition"),
           lines_[i].first.at);
    }
  }
  if (order == Order::Unknown && ambiguous < lines_.size()) {
    fail(fmt::format("cannot tell whether '{}' is the proposition or the state: all names on the "
                     "ATOMS lines are declared; add the line '# ATOMS: proposition first' or "
                     "'# ATOMS: state first'",
                     system.string(lines_[ambiguous].first.name)),
         lines_[ambiguous].first.at);
  }
  return order == Order::Unknown ? Order::StateFirst : order;
}

void Atoms::label(model::PushdownSystem& system, const Item& place, const Item& proposition,
                  const Fail& fail) {
  const model::ControlId control = system.find_control(place.name);
  if (place.symbol.valid()) {
    const model::SymbolId symbol = system.find_symbol(place.symbol);
    if (place.name.valid()) {
      system.label(model::Head{control, symbol}, proposition.name);
    } else {
      system.label(symbol, proposition.name);
    }
    return;
  }
  const model::SymbolId symbol = system.find_symbol(place.name);
  if (control.valid() && symbol.valid()) {
    fail(fmt::format("'{0}' is a control state and a stack symbol: write '<{0}>' for the symbol, "
                     "'{0}<g>' for the state over the symbol g, or rename one of them",
                     system.string(place.name)),
         place.at);
  }
  if (control.valid()) {
    system.label(control, proposition.name);
  } else {
    system.label(symbol, proposition.name);
  }
}

void Atoms::apply(model::PushdownSystem& system, const Fail& fail) {
  const Order order = decide(system, fail);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Item& first = lines_[i].first;
    const bool swapped = order == Order::PropositionFirst;
    for (const Item& item : rest_of(i)) {
      // A line that means the same either way may fit the other order only: `ATOMS "q" q`.
      if (swapped ? names_place(system, item) : !names_place(system, first)) {
        label(system, item, first, fail);
      } else {
        label(system, first, item, fail);
      }
    }
  }
}

}  // namespace nestor::format
