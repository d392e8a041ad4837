#include "lint/ownership.h"

#include <algorithm>
#include <iterator>
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

/// A pointer and how many bytes further.
std::pair<ValueId, std::int64_t> base_of(const Function& in, ValueId address) {
  std::int64_t offset = 0;
  while (in.values[address].kind == Value::Kind::Step) {
    offset += in.values[address].number;
    address = in.values[address].left;
  }
  return {address, offset};
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
  find_makers();
  find_offsets();
  find_owning();
}

bool Ownership::is_exact_local(VariableId location) const {
  return location.valid() && program_.variables[location].kind == program::VariableKind::Local &&
         program_.variables[location].exact;
}

/// The argument that a function outside returns: strcpy.
std::optional<std::size_t> Ownership::given_back(const Point& point) const {
  const program::ExternalFunction* known =
      point.callee.valid() && point.targets.empty() ? index_.external(point) : nullptr;
  return known != nullptr && known->success.kind == program::ResultClass::Kind::Argument
             ? std::optional<std::size_t>(known->success.argument)
             : std::nullopt;
}

/// The call does more with the argument than look at it, or release it.
bool Ownership::is_taken(const Point& call, std::size_t argument) const {
  if (!call.targets.empty()) {
    return std::any_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
      return !index_.borrows(target, argument, program::Reach::Itself);
    });
  }
  const program::ArgumentUse use = index_.use_of(call, argument);
  return use != program::ArgumentUse::Releases && use != program::ArgumentUse::Moves &&
         !index_.borrows_outside(call, argument, program::Reach::Itself);
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
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* binder = in.action_of(p);
    if (binder == nullptr || binder->result != value) {
      continue;
    }
    const VariableId location = program::location_of(in.points[p]);
    if (binder->kind == Action::Kind::Choose) {
      trace(in, binder->value, sources);
    } else if (const std::optional<std::size_t> same = given_back(in.points[p]);
               same && *same < binder->arguments.size()) {
      trace(in, binder->arguments[*same], sources);
    } else if (binder->kind == Action::Kind::Read && is_exact_local(location)) {
      for (std::uint32_t q = 0; q < in.points.size(); ++q) {
        const Action* writer = in.action_of(q);
        if (writer != nullptr && writer->kind == Action::Kind::Write &&
            program::location_of(in.points[q]) == location) {
          trace(in, writer->value, sources);
        }
      }
    } else {
      sources.points.insert(p);
    }
  }
}

/// Whatever it is, it was made in the function or for it.
bool Ownership::is_fresh(const Function& in, ValueId value, Sources& sources) const {
  trace(in, value, sources);
  return sources.is_known && sources.parameters.empty() &&
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

void Ownership::find_makers() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const FunctionId f : program_.functions.ids()) {
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
        changed = true;
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

bool Ownership::is_release(const Function& in, std::uint32_t point) const {
  const Action* action = in.action_of(point);
  return action != nullptr && action->kind == Action::Kind::Call && !action->arguments.empty() &&
         in.points[point].targets.empty() &&
         index_.use_of(in.points[point], 0) == program::ArgumentUse::Releases;
}

/// Adds where the value was read.
void Ownership::add_read(const Function& in, const Sources& sources,
                         std::set<VariableId>& locations) const {
  for (const std::uint32_t from : sources.points) {
    if (const VariableId read = program::location_of(in.points[from]);
        in.action_of(from)->kind == Action::Kind::Read && read.valid()) {
      locations.insert(read);
    }
  }
}

void Ownership::find_owning() {
  std::set<VariableId> others;  // that hold something else at times, or share it
  std::set<VariableId> taken;   // what they hold is given to someone else
  std::set<VariableId> released;
  std::set<VariableId> emptied;  // where that is done
  std::set<VariableId> shared;   // others get the same thing when it is made: the head of a list
  for (const FunctionId f : program_.functions.ids()) {
    const Function& in = program_.functions[f];
    std::set<VariableId> released_here;
    std::set<VariableId> emptied_here;
    std::map<std::uint32_t, std::set<VariableId>> stored_here;  // by the call that made it
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const Action* action = in.action_of(p);
      const VariableId location = program::location_of(in.points[p]);
      if (is_release(in, p)) {
        Sources sources;
        trace(in, action->arguments[0], sources);
        if (sources.is_known && sources.parameters.empty() && sources.points.size() == 1 &&
            in.action_of(*sources.points.begin())->kind == Action::Kind::Read) {
          released_here.insert(program::location_of(in.points[*sources.points.begin()]));
        }
      }
      for (std::size_t i = 0;
           action != nullptr && action->kind == Action::Kind::Call && i < action->arguments.size();
           ++i) {
        Sources sources;
        if (is_taken(in.points[p], i)) {
          trace(in, action->arguments[i], sources);
        }
        add_read(in, sources, taken);
      }
      if (action != nullptr && action->kind == Action::Kind::Return && action->value.valid()) {
        Sources sources;
        trace(in, action->value, sources);
        add_read(in, sources, taken);
      }
      if (action == nullptr || action->kind != Action::Kind::Write || !location.valid() ||
          is_exact_local(location)) {
        continue;
      }
      Sources sources;
      const bool is_new = is_fresh(in, action->value, sources);
      if (is_new && sources.points.empty()) {
        emptied_here.insert(location);
      }
      add_read(in, sources, others);
      for (const std::uint32_t from : sources.points) {
        stored_here[from].insert(location);
      }
      const bool is_global = program_.variables[location].kind == program::VariableKind::Global;
      if (program_.variables[location].kind != program::VariableKind::Field && !is_global) {
        continue;
      }
      const std::int64_t offset = base_of(in, action->address).second;
      if (!is_new || action->bits < 32 ||
          (is_global && !program_.variables[location].starts_empty)) {
        others.insert(location);
      } else if (!sources.points.empty() &&
                 owning_.try_emplace(location, offset).first->second != offset) {
        others.insert(location);
      }
    }
    std::set_intersection(released_here.begin(), released_here.end(), emptied_here.begin(),
                          emptied_here.end(), std::inserter(emptied, emptied.end()));
    released.insert(released_here.begin(), released_here.end());
    for (const auto& [from, locations] : stored_here) {
      if (locations.size() > 1) {
        shared.insert(locations.begin(), locations.end());
      }
    }
  }
  for (auto member = owning_.begin(); member != owning_.end();) {
    // Where nothing is released any more, nobody else may have it.
    if (others.count(member->first) != 0 ||
        (released.count(member->first) == 0 && taken.count(member->first) != 0)) {
      member = owning_.erase(member);
      continue;
    }
    if (shared.count(member->first) == 0) {
      holding_.insert(member->first);
    }
    const bool is_member = program_.variables[member->first].kind == program::VariableKind::Field;
    member =
        emptied.count(member->first) != 0 || !is_member ? owning_.erase(member) : std::next(member);
  }
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

std::vector<Ownership::Release> Ownership::releases_in(FunctionId function) const {
  const Function& in = program_.functions[function];
  std::vector<Release> result;
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    if (!is_release(in, p)) {
      continue;
    }
    Sources released;
    trace(in, action->arguments[0], released);
    // The type is that of the members that are used through the same pointer.
    std::set<std::string_view> types;
    for (std::uint32_t q = 0; q < in.points.size(); ++q) {
      const Action* access = in.action_of(q);
      const VariableId location = program::location_of(in.points[q]);
      if (access == nullptr || !access->address.valid() || !location.valid() ||
          program_.variables[location].kind != program::VariableKind::Field) {
        continue;
      }
      const auto [pointer, offset] = base_of(in, access->address);
      Sources base;
      trace(in, pointer, base);
      if (offset == offsets_.at(location) && base.points == released.points &&
          base.parameters == released.parameters) {
        const std::string_view name = program_.text(program_.variables[location].name);
        types.insert(name.substr(0, name.rfind('.')));
      }
    }
    Release release;
    release.point = p;
    for (const auto& [member, offset] : owning_) {
      const std::string_view name = program_.text(program_.variables[member].name);
      if (types.count(name.substr(0, name.rfind('.'))) != 0) {
        release.members.emplace(member, offset);
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
    for (const std::uint32_t parameter : released.parameters) {
      release.from = Function::kEntry;
      release.parameter = parameter;
      result.push_back(release);
    }
  }
  return result;
}

}  // namespace nestor::lint
