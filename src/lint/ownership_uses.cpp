#include "lint/ownership.h"

#include <algorithm>
#include <iterator>

// Which places own what they hold, by what the whole program does with them.

namespace nestor::lint {

using program::Action;
using program::Function;
using program::FunctionId;
using program::Point;
using program::VariableId;

HeldValues::Origins Ownership::origins_of(const Function& in, program::ValueId value,
                                          Sources& sources) const {
  HeldValues::Origins origins;
  const bool is_new = is_fresh_or_given(in, value, sources);
  origins.parameters = sources.parameters;
  for (const std::uint32_t from : sources.points) {
    const Point& point = in.points[from];
    if (in.action_of(from)->kind == Action::Kind::Call) {
      origins.callees.insert(point.targets.begin(), point.targets.end());
    } else if (const VariableId read = program::location_of(point); read.valid()) {
      origins.locations.insert(read);
    }
  }
  origins.is_new = is_new;
  origins.is_made = !sources.points.empty();
  return origins;
}

struct Ownership::Uses {
  struct Use {
    FunctionId by;
    HeldValues::Origins value;
  };
  struct Store {
    FunctionId by;
    HeldValues::Origins value;
    VariableId location;
    std::int64_t offset = 0;
    bool is_whole = false;  ///< a pointer, or a number that may be a descriptor
    bool is_empty = false;
  };

  HeldValues held;
  std::vector<Use> released;
  std::vector<Use> taken;  ///< given to those who may do anything with it
  std::vector<Store> stores;
  std::map<FunctionId, std::set<VariableId>> emptied;
  std::vector<std::set<VariableId>> together;  ///< they get the same thing when it is made
  // Of one function:
  std::set<std::uint32_t> released_points;               ///< what they bind it releases itself
  std::map<std::uint32_t, std::set<VariableId>> stored;  ///< by the call that made it
};

void Ownership::note_call(FunctionId function, std::uint32_t p, Uses& uses) const {
  const Function& in = program_.functions[function];
  const Point& call = in.points[p];
  const Action& action = *in.action_of(p);
  for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
    if (in.values[action.arguments[i]].bits < 32) {
      continue;
    }
    Sources sources;
    HeldValues::Origins value = origins_of(in, action.arguments[i], sources);
    // Who releases it as well has not handed it over.
    value.is_new &=
        std::none_of(sources.points.begin(), sources.points.end(),
                     [&](std::uint32_t from) { return uses.released_points.count(from) != 0; });
    for (const FunctionId target : call.targets) {
      if (i < program_.functions[target].parameters.size()) {
        uses.held.pass(function, value, target, i);
      } else {
        uses.taken.push_back({function, value});
      }
    }
    if (!call.targets.empty()) {
      continue;
    }
    const program::ArgumentUse use = index_.use_of(call, i);
    if (use == program::ArgumentUse::Releases || use == program::ArgumentUse::Moves) {
      uses.released.push_back({function, std::move(value)});
    } else if (!index_.borrows_outside(call, i, program::Reach::Itself)) {
      uses.taken.push_back({function, std::move(value)});
    }
  }
}

void Ownership::note_write(FunctionId function, std::uint32_t p, Uses& uses) const {
  const Function& in = program_.functions[function];
  const Action& action = *in.action_of(p);
  const VariableId location = program::location_of(in.points[p]);
  if (!location.valid() || is_private(location)) {
    return;
  }
  Sources sources;
  Uses::Store store{.by = function,
                    .value = origins_of(in, action.value, sources),
                    .location = location,
                    .offset = base_of(in, action.address).second,
                    .is_whole = action.bits >= 32};
  store.is_empty = store.value.is_new && sources.points.empty() && sources.parameters.empty();
  if (store.is_empty) {
    uses.emptied[function].insert(location);
  }
  for (const std::uint32_t from : sources.points) {
    uses.stored[from].insert(location);
  }
  uses.stores.push_back(std::move(store));
}

/// What a list goes on with is no part of its element: through what is read from such a member,
/// members of the same structure are used.
std::set<VariableId> Ownership::links_among(const HeldValues& held) const {
  std::set<VariableId> links;
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* access = in.action_of(p);
      const VariableId used = program::location_of(in.points[p]);
      if (access == nullptr || !access->address.valid() || offsets_.count(used) == 0) {
        continue;
      }
      Sources sources;
      std::set<VariableId> from;
      held.add_locations(f, origins_of(in, base_of(in, access->address).first, sources), from);
      for (const VariableId location : from) {
        if (structure_of(location) == structure_of(used)) {
          links.insert(location);
        }
      }
    }
  }
  return links;
}

/// Those that are copied as a whole somewhere: two of them hold the same things then. What a
/// structure is, its members tell that are used through the same pointer.
std::set<std::string_view> Ownership::copied_structures() const {
  std::set<std::string_view> copied;
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    std::vector<Sources> copies;
    const auto add = [&](program::ValueId address) {
      const auto [base, offset] = base_of(in, address);
      if (offset == 0) {
        trace(in, base, copies.emplace_back());
      }
    };
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      const std::string_view callee = program_.text(in.points[p].callee);
      if (action != nullptr && action->arguments.size() >= 3 &&
          (callee == "memcpy" || callee == "memmove")) {
        add(action->arguments[0]);
        add(action->arguments[1]);
      }
    }
    if (copies.empty()) {
      continue;
    }
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* access = in.action_of(p);
      const VariableId location = program::location_of(in.points[p]);
      if (access == nullptr || !access->address.valid() || offsets_.count(location) == 0) {
        continue;
      }
      Sources base;
      trace(in, base_of(in, access->address).first, base);
      if (std::any_of(copies.begin(), copies.end(), [&](const Sources& copy) {
            return (!copy.points.empty() || !copy.parameters.empty()) &&
                   base.points == copy.points && base.parameters == copy.parameters;
          })) {
        copied.insert(structure_of(location));
      }
    }
  }
  return copied;
}

void Ownership::find_uses(Uses& uses) {
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    uses.released_points.clear();
    uses.stored.clear();
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const std::optional<std::size_t> argument = released_argument(in, p);
      Sources sources;
      if (argument) {
        trace(in, in.action_of(p)->arguments[*argument], sources);
        uses.released_points.insert(sources.points.begin(), sources.points.end());
      }
      if (sources.is_known && sources.parameters.empty() && sources.points.size() == 1 &&
          in.action_of(*sources.points.begin())->kind == Action::Kind::Read) {
        released_in_[f].insert(program::location_of(in.points[*sources.points.begin()]));
      }
    }
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      if (action == nullptr) {
        for (const FunctionId target : in.points[p].targets) {  // called back, with anything
          for (std::uint32_t i = 0; i < program_.functions[target].parameters.size(); ++i) {
            uses.held.pass(f, {}, target, i);
          }
        }
      } else if (action->kind == Action::Kind::Call) {
        note_call(f, p, uses);
      } else if (action->kind == Action::Kind::Return && action->value.valid()) {
        Sources sources;
        uses.held.give_back(f, origins_of(in, action->value, sources));
      } else if (action->kind == Action::Kind::Write) {
        note_write(f, p, uses);
      }
    }
    for (const auto& [from, locations] : uses.stored) {
      if (locations.size() > 1) {
        uses.together.push_back(locations);
      }
    }
  }
}

void Ownership::find_owning() {
  Uses uses;
  find_uses(uses);
  std::set<VariableId> others;  // that hold something else at times, or share it
  for (const Uses::Store& store : uses.stores) {
    const program::Variable& variable = program_.variables[store.location];
    const bool is_global = variable.kind == program::VariableKind::Global;
    if (variable.kind != program::VariableKind::Field && !is_global) {
      continue;
    }
    if (variable.is_union || !store.is_whole || !uses.held.is_new(store.by, store.value) ||
        (is_global && !variable.starts_empty)) {
      others.insert(store.location);
    } else if (uses.held.may_be_made(store.by, store.value) &&
               owning_.try_emplace(store.location, store.offset).first->second != store.offset) {
      others.insert(store.location);
    }
  }
  std::set<VariableId> candidates;
  for (const auto& [location, offset] : owning_) {
    if (others.count(location) == 0) {
      candidates.insert(location);
    }
  }
  std::set<VariableId> places = candidates;
  for (const std::set<VariableId>& locations : uses.together) {
    places.insert(locations.begin(), locations.end());
  }
  uses.held.follow(places);
  const std::set<std::string_view> copied = copied_structures();
  for (const VariableId location : candidates) {
    if (copied.count(structure_of(location)) != 0 &&
        program_.variables[location].kind == program::VariableKind::Field) {
      others.insert(location);
    }
  }
  const std::set<VariableId> links = links_among(uses.held);
  others.insert(links.begin(), links.end());
  std::set<VariableId> taken;
  std::set<VariableId> released;
  for (const Uses::Store& store : uses.stores) {
    uses.held.add_locations(store.by, store.value, others);
  }
  for (const Uses::Use& use : uses.taken) {
    uses.held.add_locations(use.by, use.value, taken);
  }
  for (const Uses::Use& use : uses.released) {
    uses.held.add_locations(use.by, use.value, released);
  }
  std::set<VariableId> emptied;  // where they are released
  for (const auto& [f, locations] : released_in_) {
    std::set_intersection(locations.begin(), locations.end(), uses.emptied[f].begin(),
                          uses.emptied[f].end(), std::inserter(emptied, emptied.end()));
  }
  std::set<VariableId> shared;      // with another place that is no link: the end of a list
  std::set<VariableId> linked_too;  // or with any
  for (const std::set<VariableId>& locations : uses.together) {
    linked_too.insert(locations.begin(), locations.end());
    std::set<VariableId> rest;
    std::set_difference(locations.begin(), locations.end(), links.begin(), links.end(),
                        std::inserter(rest, rest.end()));
    if (rest.size() > 1) {
      shared.insert(rest.begin(), rest.end());
    }
  }
  for (auto member = owning_.begin(); member != owning_.end();) {
    // Where nothing is released any more, nobody else may have it.
    if (others.count(member->first) != 0 ||
        (released.count(member->first) == 0 && taken.count(member->first) != 0)) {
      member = owning_.erase(member);
      continue;
    }
    if (linked_too.count(member->first) == 0) {
      holding_.insert(member->first);
    }
    const bool is_member = program_.variables[member->first].kind == program::VariableKind::Field;
    member = emptied.count(member->first) != 0 || shared.count(member->first) != 0 || !is_member
                 ? owning_.erase(member)
                 : std::next(member);
  }
}

}  // namespace nestor::lint
