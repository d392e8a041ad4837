#include "program/component_table.h"

#include <cassert>
#include <optional>

namespace nestor::program {

namespace {

using Component = Exploration::Component;

constexpr std::size_t kMostTimes = 4;  // that a node is expanded, on average

}  // namespace

const SymbolicState& ComponentTable::entry_of(std::uint32_t c) const {
  return is_known(c) ? known_[c]->entry : states_[(*this)[c].entry];
}

const SymbolicState& ComponentTable::end_of(std::uint32_t c, std::uint32_t exit) const {
  const Component& component = (*this)[c];
  return is_known(c) ? known_[c]->exits[exit]
                     : states_[component.nodes[component.exits[exit]].state];
}

bool ComponentTable::looks_inside(std::uint32_t c) const {
  return is_known(c) ? known_[c]->looks_inside : (*this)[c].relevance->looks_inside();
}

std::uint32_t ComponentTable::find(FunctionId function, bool is_outermost, StateId entry,
                                   const Relevance& relevance) {
  const ComponentId id(function, is_outermost, entry);
  if (const auto found = index_.find(id); found != index_.end()) {
    return found->second;
  }
  const auto c = static_cast<std::uint32_t>(size());
  if (is_outermost || !take_known(id, relevance)) {
    auto component = std::make_shared<Component>();
    component->function = function;
    component->is_outermost = is_outermost;
    component->entry = entry;
    component->relevance = &relevance;
    append(id, std::move(component), nullptr);
  }
  return c;
}

void ComponentTable::append(const ComponentId& id, std::shared_ptr<Component> component,
                            const Callee* known) {
  index_.emplace(id, static_cast<std::uint32_t>(size()));
  nodes_ += component->counted;
  expanded_ += component->expanded;
  exploration_.components.push_back(std::move(component));
  exploration_.callees.emplace_back();
  known_.push_back(known);
}

/// The function with all that it calls, if another exploration has found it out.
bool ComponentTable::take_known(const ComponentId& id, const Relevance& relevance) {
  if (callees_ == nullptr) {
    return false;
  }
  const ExploredCallees::Entry entry{relevance, states_[std::get<2>(id)], tracking_, is_merging_};
  has_too_large_ |= knows_too_large() && callees_->is_too_large(entry, most_nodes_);
  const auto id_of = [&](const Callee& callee) {
    return ComponentId(callee.component->function, false, states_.intern(callee.entry));
  };
  const auto present = [&](const Callee& callee) -> std::optional<const Callee*> {
    const auto found = index_.find(id_of(callee));
    return found == index_.end() ? std::nullopt : std::optional(known_[found->second]);
  };
  const std::vector<const Callee*> all = callees_->find(entry, releasing_, present);
  // Nothing that is kept was too far when it was entered.
  if (all.empty() || is_too_far(size() + all.size(), tracking_, {}, is_merging_)) {
    return false;
  }
  const std::size_t first = size();
  for (const Callee* callee : all) {
    append(id_of(*callee), callee->component, callee);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Callee* inner : all[i]->callees) {
      exploration_.callees[first + i].push_back(index_.at(id_of(*inner)));
    }
  }
  return true;
}

std::uint32_t ComponentTable::add_box(std::uint32_t c, Exploration::Box box, std::uint32_t callee) {
  assert(!is_known(c));
  box.is_releasing = releasing_.count(box.target) != 0;
  std::vector<Exploration::Box>& boxes = (*this)[c].boxes;
  const auto index = static_cast<std::uint32_t>(boxes.size());
  boxes.push_back(std::move(box));
  exploration_.callees[c].push_back(callee);
  if (!is_known(callee)) {
    (*this)[callee].callers.emplace_back(c, index);
  }
  return index;
}

void ComponentTable::count_nodes(std::uint32_t c, std::size_t more) {
  (*this)[c].counted += more;
  nodes_ += more;
}

void ComponentTable::count_expansion(std::uint32_t c) {
  ++(*this)[c].expanded;
  ++expanded_;
}

bool ComponentTable::is_too_large() const {
  return has_too_large_ || nodes_ > most_nodes_ || expanded_ > kMostTimes * most_nodes_ + 1;
}

void ComponentTable::complete() {
  for (std::size_t c = 0; is_merging_ && c < size(); ++c) {
    if (!is_known(c)) {
      find_reached((*this)[c]);
    }
  }
  find_reached(exploration_);
}

/// Then what a function does depends on nothing but how it is entered.
bool ComponentTable::knows_too_large() const {
  return callees_ != nullptr && !is_merging_ && !tracking_.ends_with_release &&
         !tracking_.undefined && !tracking_.null && tracking_.makers == nullptr;
}

void ComponentTable::keep(std::vector<std::uint8_t> open) {
  if (callees_ == nullptr) {
    return;
  }
  for (std::size_t c = 0; c < open.size(); ++c) {
    open[c] = open[c] != 0 || (*this)[c].is_cut ? 1 : 0;
  }
  if (knows_too_large() && !has_too_large_ && nodes_ > most_nodes_) {
    callees_->add_too_large(exploration_, states_, known_, tracking_, most_nodes_);
  }
  callees_->add(exploration_, states_, known_, std::move(open), program_, tracking_, is_merging_);
}

}  // namespace nestor::program
