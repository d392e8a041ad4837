#include "lint/ownership.h"

#include <algorithm>
#include <string_view>

namespace nestor::lint {

using program::Action;
using program::Function;
using program::FunctionId;
using program::Point;
using program::Value;
using program::ValueId;
using program::VariableId;

namespace {

constexpr std::uint8_t kPointerBits = 64;

/// What a place can own: numbers are descriptors.
bool is_kind_of(std::string_view family, std::uint8_t bits) {
  return bits == kPointerBits ? family == "malloc" || family == "stream" || family == "directory"
                              : family == "descriptor";
}

/// Some way through the function leads from one point to the other.
bool leads_to(const Function& in, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint8_t> seen(in.points.size(), 0);
  std::vector<std::uint32_t> work = {from};
  while (!work.empty() && seen[to] == 0) {
    const std::uint32_t p = work.back();
    work.pop_back();
    for (const std::uint32_t next : in.points[p].next) {
      if (seen[next] == 0) {
        seen[next] = 1;
        work.push_back(next);
      }
    }
  }
  return seen[to] != 0;
}

}  // namespace

Ownership::Ownership(program::ProgramIndex& index) : index_(index), program_(index.program()) {
  find_returning();
  find_makers();
  find_ending();
  find_offsets();
  find_owning();
}

std::pair<ValueId, std::int64_t> Ownership::base_of(const Function& in, ValueId address) {
  std::int64_t offset = 0;
  while (in.values[address].kind == Value::Kind::Step) {
    offset += in.values[address].number;
    address = in.values[address].left;
  }
  return {address, offset};
}

std::string_view Ownership::structure_of(VariableId member) const {
  const program::Variable& variable = program_.variables[member];
  const std::string_view name = program_.text(variable.name);
  return variable.structure.valid() ? program_.text(variable.structure)
                                    : name.substr(0, name.rfind('.'));
}

/// What is stored there is found by nobody who keeps it.
bool Ownership::is_private(VariableId location) const {
  if (!location.valid()) {
    return false;
  }
  const program::Variable& variable = program_.variables[location];
  return variable.kind == program::VariableKind::Local &&
         (variable.exact || (variable.is_scalar && index_.address_stays(location)));
}

/// The argument that a function returns: strcpy, or one that looks whether it is null.
std::optional<std::size_t> Ownership::given_back(const Point& point) const {
  if (point.targets.size() == 1 && !point.is_alternative) {
    const auto found = returning_.find(point.targets.front());
    return found == returning_.end() ? std::nullopt : std::optional(found->second);
  }
  const program::ExternalFunction* known =
      point.callee.valid() && point.targets.empty() ? index_.external(point) : nullptr;
  return known != nullptr && known->success.kind == program::ResultClass::Kind::Argument
             ? std::optional<std::size_t>(known->success.argument)
             : std::nullopt;
}

/// Back over copies between locals.
void Ownership::trace(const Function& in, ValueId value, Sources& sources) const {
  if (!sources.seen.insert(value).second) {
    return;
  }
  const Value& term = in.values[value];
  if (term.kind == Value::Kind::Parameter) {
    sources.parameters.insert(static_cast<std::uint32_t>(term.number));
    return;
  }
  if (term.kind != Value::Kind::Bound) {
    // No descriptor is negative.
    sources.is_known &= term.kind == Value::Kind::Constant &&
                        (term.bits == kPointerBits ? term.number == 0 : term.number < 0);
    return;
  }
  const program::FunctionUses& uses =
      index_.uses_of(FunctionId(static_cast<std::size_t>(&in - program_.functions.items().data())));
  for (const std::uint32_t p : uses.binders_of(value)) {
    const Action* binder = in.action_of(p);
    const VariableId location = program::location_of(in.points[p]);
    if (binder->kind == Action::Kind::Choose) {
      trace(in, binder->value, sources);
    } else if (const std::optional<std::size_t> same = given_back(in.points[p]);
               same && *same < binder->arguments.size()) {
      trace(in, binder->arguments[*same], sources);
    } else if (binder->kind == Action::Kind::Read && is_private(location)) {
      for (const std::uint32_t writer : uses.writers_of(uses.place_of(location))) {
        trace(in, in.action_of(writer)->value, sources);
      }
      if (!program_.variables[location].exact) {
        sources.points.insert(p);  // or what others have written there
      }
    } else {
      sources.points.insert(p);
    }
  }
}

/// Whatever it is, it was made in the function or for it.
bool Ownership::is_fresh(const Function& in, ValueId value, Sources& sources) const {
  return is_fresh_or_given(in, value, sources) && sources.parameters.empty();
}

/// The same, or a parameter.
bool Ownership::is_fresh_or_given(const Function& in, ValueId value, Sources& sources) const {
  trace(in, value, sources);
  return sources.is_known &&
         std::all_of(sources.points.begin(), sources.points.end(), [&](std::uint32_t p) {
           const Point& point = in.points[p];
           if (in.action_of(p)->kind != Action::Kind::Call || point.is_alternative) {
             return false;
           }
           const program::ExternalFunction* known = index_.external(point);
           return point.targets.empty()
                      ? known != nullptr && known->fresh &&
                            is_kind_of(known->family, in.values[value].bits)
                      : std::all_of(point.targets.begin(), point.targets.end(),
                                    [&](FunctionId f) { return makers_.count(f) != 0; });
         });
}

void Ownership::find_returning() {
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    Sources sources;
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      if (action != nullptr && action->kind == Action::Kind::Return && action->value.valid()) {
        trace(in, action->value, sources);
      }
    }
    if (sources.is_known && sources.points.empty() && sources.parameters.size() == 1) {
      returning_.emplace(f, *sources.parameters.begin());
    }
  }
}

/// Who calls one may be one.
void Ownership::find_makers() {
  std::vector<FunctionId> work(program_.functions.ids().begin(), program_.functions.ids().end());
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    const Function& in = program_.functions[f];
    bool makes = false;
    bool is_maker = makers_.count(f) == 0;
    for (std::uint32_t p = 0; is_maker && p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      if (action != nullptr && action->kind == Action::Kind::Return) {
        Sources sources;
        is_maker = action->value.valid() && is_fresh(in, action->value, sources);
        makes |= !sources.points.empty();
      }
    }
    if (is_maker && makes) {
      makers_.insert(f);
      for (const program::ProgramIndex::Caller& caller : index_.callers_of(f)) {
        work.push_back(caller.function);
      }
    }
  }
}

/// Through a pointer to a structure that contains theirs they are larger.
void Ownership::find_offsets() {
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      const VariableId location = program::location_of(in.points[p]);
      if (action != nullptr && action->address.valid() && location.valid() &&
          program_.variables[location].kind == program::VariableKind::Field) {
        const std::int64_t offset = base_of(in, action->address).second;
        std::int64_t& smallest = offsets_.try_emplace(location, offset).first->second;
        smallest = std::min(smallest, offset);
      }
    }
  }
}

/// By a function outside.
bool Ownership::is_release(const Function& in, std::uint32_t point, std::size_t argument) const {
  const Action* action = in.action_of(point);
  return action != nullptr && action->kind == Action::Kind::Call &&
         in.points[point].targets.empty() && argument < action->arguments.size() &&
         index_.use_of(in.points[point], argument) == program::ArgumentUse::Releases;
}

/// The same, or by a function of the program that always does so.
std::optional<std::size_t> Ownership::released_argument(const Function& in,
                                                        std::uint32_t point) const {
  const Action* action = in.action_of(point);
  if (action == nullptr || action->kind != Action::Kind::Call || in.points[point].is_alternative) {
    return std::nullopt;
  }
  const std::vector<FunctionId>& targets = in.points[point].targets;
  for (std::uint32_t i = 0; i < action->arguments.size(); ++i) {
    if (targets.empty() ? is_release(in, point, i)
                        : targets.size() == 1 && ending_.count({targets.front(), i}) != 0) {
      return i;
    }
  }
  return std::nullopt;
}

/// What functions release of what they are given, whatever way they take, if it is not null.
void Ownership::find_ending() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const FunctionId f : program_.functions.ids()) {
      const Function& in = program_.functions[f];
      std::map<std::uint32_t, std::vector<std::uint32_t>> releases;  // by parameter
      for (std::uint32_t p = 0; p < in.points.size(); ++p) {
        const std::optional<std::size_t> argument = released_argument(in, p);
        Sources sources;
        if (argument) {
          trace(in, in.action_of(p)->arguments[*argument], sources);
        }
        if (sources.is_known && sources.points.empty() && sources.parameters.size() == 1) {
          releases[*sources.parameters.begin()].push_back(p);
        }
      }
      for (const auto& [parameter, points] : releases) {
        if (ending_.count({f, parameter}) == 0 && is_on_every_way(in, parameter, points)) {
          ending_.emplace(f, parameter);
          changed = true;
        }
      }
    }
  }
}

/// No way leads around these points, if the parameter is not null.
bool Ownership::is_on_every_way(const Function& in, std::uint32_t parameter,
                                const std::vector<std::uint32_t>& points) {
  std::vector<std::uint8_t> seen(in.points.size(), 0);
  for (const std::uint32_t p : points) {
    seen[p] = 1;
  }
  std::vector<std::uint32_t> work = {Function::kEntry};
  while (!work.empty()) {
    const std::uint32_t p = work.back();
    work.pop_back();
    const std::vector<program::Fact>& facts = in.points[p].facts;
    if (std::any_of(facts.begin(), facts.end(), [&](const program::Fact& fact) {
          return fact.kind == program::FactKind::Null && fact.variable.valid() &&
                 parameter < in.parameters.size() && fact.variable == in.parameters[parameter];
        })) {
      continue;
    }
    for (const std::uint32_t next : in.points[p].next) {
      if (next == Function::kReturn) {
        return false;
      }
      if (seen[next] == 0) {
        seen[next] = 1;
        work.push_back(next);
      }
    }
  }
  return true;
}

std::vector<Ownership::Replacement> Ownership::replacements_in(FunctionId function) const {
  const Function& in = program_.functions[function];
  std::map<VariableId, std::vector<std::uint32_t>> reads;
  std::map<VariableId, std::vector<std::uint32_t>> writes;
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    const VariableId location = program::location_of(in.points[p]);
    if (action == nullptr || holding_.count(location) == 0) {
      continue;
    }
    if (action->kind == Action::Kind::Read && action->result.valid()) {
      reads[location].push_back(p);
    } else if (action->kind == Action::Kind::Write) {
      writes[location].push_back(p);
    }
  }
  std::vector<Replacement> result;
  for (const auto& [location, points] : writes) {
    for (const std::uint32_t read : reads[location]) {
      const auto write = std::find_if(points.begin(), points.end(), [&](std::uint32_t p) {
        return leads_to(in, read, p) && is_same_place(in, read, p);
      });
      if (write != points.end()) {
        result.push_back({read, *write});
      }
    }
  }
  return result;
}

/// In the same structure, which comes from outside of the function; or it is a global.
bool Ownership::is_same_place(const Function& in, std::uint32_t one, std::uint32_t other) const {
  const auto [pointer, offset] = base_of(in, in.action_of(one)->address);
  const auto [same, further] = base_of(in, in.action_of(other)->address);
  if (offset != further) {
    return false;
  }
  if (in.values[pointer].kind == Value::Kind::Address) {
    return in.values[same].kind == Value::Kind::Address &&
           in.values[pointer].variable == in.values[same].variable;
  }
  Sources from;
  Sources with;
  trace(in, pointer, from);
  trace(in, same, with);
  return from.is_known && from.points == with.points && from.parameters == with.parameters &&
         std::none_of(from.points.begin(), from.points.end(),
                      [&](std::uint32_t p) { return in.action_of(p)->kind == Action::Kind::Call; });
}

/// Those who call the function release the member before, some of them.
bool Ownership::is_released_by_caller(FunctionId function, VariableId member) const {
  const std::vector<program::ProgramIndex::Caller>& callers = index_.callers_of(function);
  return std::any_of(callers.begin(), callers.end(), [&](const auto& caller) {
    const auto released = released_in_.find(caller.function);
    return released != released_in_.end() && released->second.count(member) != 0;
  });
}

std::vector<Ownership::Release> Ownership::releases_in(FunctionId function) const {
  return releases_in(function, true);
}

/// Also those by functions of the program, of what these do not answer for.
std::vector<Ownership::Release> Ownership::releases_in(FunctionId function,
                                                       bool looks_at_callees) const {
  const Function& in = program_.functions[function];
  std::vector<Release> result;
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const std::optional<std::size_t> argument = released_argument(in, p);
    const std::vector<FunctionId>& callees = in.points[p].targets;
    if (!argument || (!callees.empty() && !looks_at_callees)) {
      continue;
    }
    Sources released;
    trace(in, in.action_of(p)->arguments[*argument], released);
    // The type is that of the members that are used through the same pointer. What the function
    // writes before it writes where nothing was.
    std::set<std::string_view> types;
    std::set<VariableId> written;
    for (std::uint32_t q = 0; q < in.points.size(); ++q) {
      const Action* access = in.action_of(q);
      const VariableId location = program::location_of(in.points[q]);
      if (access == nullptr || !access->address.valid() || offsets_.count(location) == 0) {
        continue;
      }
      const auto [pointer, offset] = base_of(in, access->address);
      Sources base;
      trace(in, pointer, base);
      if (offset == offsets_.at(location) && base.points == released.points &&
          base.parameters == released.parameters) {
        types.insert(structure_of(location));
        if (access->kind == Action::Kind::Write && leads_to(in, q, p)) {
          written.insert(location);
        }
      }
    }
    Release release;
    release.point = p;
    for (const auto& [member, offset] : owning_) {
      if (types.count(structure_of(member)) != 0 && written.count(member) == 0) {
        release.members.emplace(member, offset);
      }
    }
    for (const FunctionId callee : callees) {
      for (const Release& inner : releases_in(callee, false)) {
        std::erase_if(release.members, [&](const auto& member) {
          return inner.from == Function::kEntry && inner.members.count(member.first) != 0;
        });
      }
    }
    if (release.members.empty()) {
      continue;
    }
    for (const std::uint32_t from : released.points) {
      Sources made;
      if (!is_fresh(in, in.action_of(from)->result, made)) {
        release.from = from;
        result.push_back(release);
      }
    }
    std::erase_if(release.members, [&](const auto& member) {
      return is_released_by_caller(function, member.first);
    });
    for (const std::uint32_t parameter : released.parameters) {
      release.from = Function::kEntry;
      release.parameter = parameter;
      result.push_back(release);
    }
  }
  return result;
}

}  // namespace nestor::lint
