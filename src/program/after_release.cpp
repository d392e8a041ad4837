#include "program/after_release.h"

#include "program/holders.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace nestor::program {

namespace {

using Place = FunctionUses::Place;
using NameSet = std::vector<std::uint64_t>;

constexpr int kDeepestCalls = 64;      // that are looked into at once
constexpr std::size_t kSomewhere = 0;  // as a name: in memory that others may know
constexpr std::size_t kAnywhere = 1;   // the same, and nothing is known of where
constexpr std::size_t kFirstName = 2;  // values, then places
constexpr std::size_t kAlive = 0;      // the two layers of a walk
constexpr std::size_t kReleased = 1;

bool is_empty(const NameSet& names) {
  return std::all_of(names.begin(), names.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace

/// Which names may be the thing, before and after it was released: a forward analysis of one
/// function.
class AfterRelease::Walk {
 public:
  Walk(AfterRelease& asker, FunctionId function)
      : asker_(asker),
        index_(asker.index_),
        program_(index_.program()),
        in_(program_.functions[function]),
        uses_(index_.uses_of(function)),
        words_((kFirstName + in_.values.size() + uses_.place_count() + 63) / 64),
        rows_(in_.points.size()),
        waiting_((in_.points.size() + 63) / 64, 0) {}

  Summary run(const HandleOrigin& origin) {
    NameSet names(words_, 0);
    if (origin.point == Function::kEntry) {
      if (origin.parameter >= uses_.parameters().size() ||
          !uses_.parameters()[origin.parameter].valid()) {
        return {};
      }
      insert(names, name_of(uses_.parameters()[origin.parameter]));
      spread_to(Function::kEntry, kAlive, names);
      return walk();
    }
    const Action* action = in_.action_of(origin.point);
    if (action == nullptr || !action->result.valid()) {
      return kWorst;
    }
    makers_.push_back(origin.point);
    if (action->kind == Action::Kind::Call) {
      if (const ExternalFunction* known = index_.external(in_.points[origin.point]);
          known != nullptr && (known->success.kind == ResultClass::Kind::Argument ||
                               known->success.kind == ResultClass::Kind::Inside)) {
        return kWorst;  // it has other names already
      }
      insert(names, name_of(action->result));
      spread(origin.point, kAlive, names);
      return walk();
    }
    if (action->kind != Action::Kind::Read || !add_sources(uses_.place_at(origin.point), names)) {
      return kWorst;
    }
    if (is_empty(names)) {
      insert(names, name_of(action->result));
      spread(origin.point, kAlive, names);
    } else {
      spread_to(Function::kEntry, kAlive, names);
    }
    for (const std::uint32_t maker : makers_) {
      NameSet made(words_, 0);
      insert(made, name_of(in_.action_of(maker)->result));
      spread(maker, kAlive, made);
    }
    return walk();
  }

 private:
  static constexpr Summary kWorst = {true, true, true, true, true};

  struct Row {
    NameSet names[2];  ///< by layer; empty: not reached
    bool has_news[2] = {false, false};
  };

  std::size_t name_of(ValueId value) const { return kFirstName + value.value(); }
  std::size_t name_of_place(Place place) const { return kFirstName + in_.values.size() + place; }
  static bool has(const NameSet& names, std::size_t name) {
    return (names[name / 64] >> (name % 64) & 1U) != 0;
  }
  static void insert(NameSet& names, std::size_t name) {
    names[name / 64] |= std::uint64_t{1} << (name % 64);
  }
  static void erase(NameSet& names, std::size_t name) {
    names[name / 64] &= ~(std::uint64_t{1} << (name % 64));
  }

  bool has_operand(const NameSet& names, ValueId operand) const {
    if (!operand.valid() || in_.values[operand].kind == Value::Kind::Compare) {
      return false;
    }
    const std::span<const ValueId> leaves = uses_.leaves_of(operand);
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](ValueId leaf) { return has(names, name_of(leaf)); });
  }

  bool is_exact(Place place) const {
    const Variable& variable = program_.variables[uses_.location(place)];
    return variable.kind == VariableKind::Local && variable.exact;
  }
  /// Under this name anything can be read or written.
  bool is_memory(Place place) const {
    return place == FunctionUses::kNoPlace ||
           program_.variables[uses_.location(place)].kind == VariableKind::Memory;
  }
  bool has_place(const NameSet& names, Place place) const {
    if (!is_memory(place) && has(names, name_of_place(place))) {
      return true;
    }
    return is_memory(place) ? has(names, kSomewhere) : !is_exact(place) && has(names, kAnywhere);
  }
  void insert_place(NameSet& names, Place place) const {
    if (is_memory(place)) {
      insert(names, kSomewhere);
      insert(names, kAnywhere);
      return;
    }
    insert(names, name_of_place(place));
    if (!is_exact(place)) {
      insert(names, kSomewhere);
    }
  }

  /// What lies at the place may have been put there before: all that it may be known as where the
  /// function begins goes to `names`, calls that may have given it to makers_. False: it can be
  /// anything.
  bool add_sources(Place from, NameSet& names) {
    std::vector<Place> places = {from};
    std::vector<ValueId> values;
    std::vector<std::uint8_t> seen_places(uses_.place_count(), 0);
    std::vector<std::uint8_t> seen_values(in_.values.size(), 0);
    const auto add_values = [&](ValueId operand) {
      const std::span<const ValueId> leaves = uses_.leaves_of(operand);
      values.insert(values.end(), leaves.begin(), leaves.end());
    };
    while (!places.empty() || !values.empty()) {
      if (!places.empty()) {
        const Place place = places.back();
        places.pop_back();
        if (is_memory(place)) {
          return false;
        }
        if (seen_places[place] != 0) {
          continue;
        }
        seen_places[place] = 1;
        for (const std::uint32_t writer : uses_.writers_of(place)) {
          add_values(in_.action_of(writer)->value);
        }
        if (!is_exact(place)) {
          insert_place(names, place);
          for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
            const Action* action = in_.action_of(p);
            if (action != nullptr && action->kind == Action::Kind::Write &&
                is_memory(uses_.place_at(p))) {
              add_values(action->value);
            }
          }
        }
        continue;
      }
      const ValueId value = values.back();
      values.pop_back();
      if (seen_values[value.value()] != 0) {
        continue;
      }
      seen_values[value.value()] = 1;
      if (in_.values[value].kind == Value::Kind::Parameter) {
        insert(names, name_of(value));
      }
      for (const std::uint32_t binder : uses_.binders_of(value)) {
        const Action& action = *in_.action_of(binder);
        if (action.kind == Action::Kind::Read) {
          places.push_back(uses_.place_at(binder));
        } else if (action.kind == Action::Kind::Choose) {
          add_values(action.value);
        } else {
          makers_.push_back(binder);
        }
      }
    }
    return true;
  }

  void spread_to(std::uint32_t point, std::size_t layer, const NameSet& names) {
    Row& row = rows_[point];
    NameSet& known = row.names[layer];
    known.resize(words_, 0);
    bool is_news = false;
    for (std::size_t word = 0; word < words_; ++word) {
      is_news |= (names[word] & ~known[word]) != 0;
      known[word] |= names[word];
    }
    if (is_news) {
      row.has_news[layer] = true;
      waiting_[point / 64] |= std::uint64_t{1} << (point % 64);
    }
  }

  void spread(std::uint32_t from, std::size_t layer, const NameSet& names) {
    if (is_empty(names)) {
      return;
    }
    const Point& point = in_.points[from];
    for (const std::uint32_t next : point.next) {
      spread_to(next, layer, names);
    }
    if (point.unwind != UINT32_MAX) {
      spread_to(point.unwind, layer, names);
    }
    if (!point.targets.empty()) {
      spread_to(in_.longjmp_target, layer, names);
    }
  }

  /// In rounds over the function, so that most is known of a point when it is looked at.
  Summary walk() {
    Summary all;
    for (bool is_done = false; !is_done;) {
      is_done = true;
      for (std::size_t word = 0; word < waiting_.size(); ++word) {
        while (waiting_[word] != 0) {
          const auto bit = static_cast<unsigned>(std::countr_zero(waiting_[word]));
          waiting_[word] &= waiting_[word] - 1;
          is_done = false;
          if (!look_at(static_cast<std::uint32_t>(word * 64 + bit), all)) {
            return kWorst;
          }
        }
      }
    }
    return all;
  }

  /// False: what is forbidden is done there.
  bool look_at(std::uint32_t p, Summary& all) {
    for (const std::size_t layer : {kAlive, kReleased}) {
      if (!std::exchange(rows_[p].has_news[layer], false)) {
        continue;
      }
      names_ = rows_[p].names[layer];
      const Summary effect = effect_of(p, names_);
      if (layer == kAlive ? effect.has_both : effect.is_forbidden) {
        return false;
      }
      all.releases |= effect.releases;
      all.is_forbidden |= effect.is_forbidden;
      all.is_stored |= in_.points[p].kind >= PointKind::Return && is_left_behind(names_);
      const Action* action = in_.action_of(p);
      all.is_given |= action != nullptr && action->kind == Action::Kind::Return &&
                      has_operand(names_, action->value);
      step(p, effect, names_);
      spread(p, layer, names_);
      if (effect.releases) {
        spread(p, kReleased, names_);
      }
    }
    return true;
  }

  void step(std::uint32_t p, const Summary& effect, NameSet& names) const {
    const Action* action = in_.action_of(p);
    if (action == nullptr) {
      return;
    }
    const Place place = uses_.place_at(p);
    bool is_bound = effect.is_given;
    switch (action->kind) {
      case Action::Kind::Read:
        is_bound = has_place(names, place);
        break;
      case Action::Kind::Choose:
        is_bound = has_operand(names, action->value);
        break;
      case Action::Kind::Write:
        if (has_operand(names, action->value)) {
          insert_place(names, place);
        } else if (!is_memory(place) && is_exact(place) &&
                   in_.points[p].facts.front().kind == FactKind::Def) {
          erase(names, name_of_place(place));
        }
        break;
      default:
        break;
    }
    if (action->result.valid()) {
      if (is_bound) {
        insert(names, name_of(action->result));
      } else {
        erase(names, name_of(action->result));
      }
    }
    if (effect.is_stored) {
      insert(names, kSomewhere);
      insert(names, kAnywhere);
    }
  }

  Summary effect_of(std::uint32_t p, const NameSet& names) {
    Summary effect;
    const Action* action = in_.action_of(p);
    if (action == nullptr) {
      return effect;
    }
    if (action->kind == Action::Kind::Read || action->kind == Action::Kind::Write) {
      effect.is_forbidden = asker_.question_.is_deref && has_operand(names, action->address);
      return effect;
    }
    if (action->kind != Action::Kind::Call) {
      return effect;
    }
    const Point& call = in_.points[p];
    const auto is_argument = [&](const std::optional<unsigned>& argument) {
      return argument && *argument < action->arguments.size() &&
             has_operand(names, action->arguments[*argument]);
    };
    effect.releases = is_argument(asker_.question_.released(call));
    effect.is_forbidden = is_argument(asker_.question_.forbidden(call));
    for (std::size_t i = 0; i < action->arguments.size(); ++i) {
      if (has_operand(names, action->arguments[i])) {
        call.targets.empty() ? pass_outside(call, i, effect) : pass(call, i, effect);
      }
    }
    if (call.targets.empty()) {
      effect.is_stored |= has(names, kSomewhere) && index_.copies_memory(call);
    } else if (may_find(call, *action, names)) {
      effect = kWorst;
    }
    return effect;
  }

  void pass_outside(const Point& call, std::size_t argument, Summary& effect) const {
    const Question& question = asker_.question_;
    switch (index_.use_of(call, argument)) {
      case ArgumentUse::Reads:
      case ArgumentUse::Writes:
      case ArgumentUse::ReadsWrites:
      case ArgumentUse::Grows:
        effect.is_forbidden |= question.is_deref || question.is_passed;
        break;
      case ArgumentUse::Uses:
        effect.is_forbidden |= question.is_passed;
        break;
      default:
        break;
    }
    effect.is_given |= index_.gives_back(call, argument);
  }

  /// Where following it is allowed, there is nothing to know of functions that only look at it.
  void pass(const Point& call, std::size_t argument, Summary& effect) {
    const bool may_look = !asker_.question_.is_deref && !asker_.question_.is_passed;
    for (const FunctionId target : call.targets) {
      if (may_look && index_.borrows(target, argument, Reach::Itself)) {
        continue;
      }
      effect.join(asker_.of_parameter({target, static_cast<std::uint32_t>(argument)}));
    }
  }

  /// The functions called may come to it by another way than as an argument.
  bool may_find(const Point& call, const Action& action, const NameSet& names) {
    if (!has(names, kSomewhere)) {
      return false;
    }
    if (has(names, kAnywhere)) {
      return true;
    }
    const Holders& holders = holders_of(names);
    return std::any_of(action.arguments.begin(), action.arguments.end(),
                       [&](ValueId argument) { return holders.leads(argument); }) ||
           holders.is_in_global_of(call);
  }

  /// Callers find it when the function has come to its end.
  bool is_left_behind(const NameSet& names) {
    return has(names, kSomewhere) && (has(names, kAnywhere) || holders_of(names).is_left_behind());
  }

  const Holders& holders_of(const NameSet& names) {
    if (!holders_) {
      holders_.emplace(index_, in_, uses_);
    }
    for (Place place = 0; place < uses_.place_count(); ++place) {
      if (has(names, name_of_place(place)) && !is_exact(place)) {
        holders_->add(place);
      }
    }
    return *holders_;
  }

  AfterRelease& asker_;
  ProgramIndex& index_;
  const Program& program_;
  const Function& in_;
  const FunctionUses& uses_;
  const std::size_t words_;
  std::vector<Row> rows_;               // by point
  std::vector<std::uint64_t> waiting_;  // points with news
  NameSet names_;                       // of the point that is looked at
  std::vector<std::uint32_t> makers_;   // calls and reads that give it
  std::optional<Holders> holders_;      // none: it has not been asked for
};

bool AfterRelease::may_follow(const HandleOrigin& origin) {
  if (origin.is_handed_out || origin.member.valid()) {
    return true;
  }
  const Summary found = of_origin(origin);
  const Action* maker = index_.program().functions[origin.function].action_of(origin.point);
  return found.has_both || (maker != nullptr && maker->kind == Action::Kind::Call &&
                            found.releases && (found.is_given || found.is_stored));
}

AfterRelease::Summary AfterRelease::of_origin(const HandleOrigin& origin) {
  if (origin.point == Function::kEntry) {
    const Parameter parameter{origin.function, origin.parameter};
    of_parameter(parameter);
    settle();
    return parameters_.at(parameter).summary;
  }
  for (;;) {
    const Summary found = Walk(*this, origin.function).run(origin);
    if (work_.empty()) {
      return found;
    }
    settle();
  }
}

const AfterRelease::Summary& AfterRelease::of_parameter(const Parameter& parameter) {
  const auto [found, fresh] = parameters_.try_emplace(parameter);
  Known& known = found->second;
  if (fresh && depth_ < kDeepestCalls) {
    look_at(parameter);
  } else if (fresh) {
    known.is_waiting = true;
    work_.push_back(parameter);
  }
  if (asking_) {
    known.users.insert(*asking_);
  }
  return known.summary;
}

void AfterRelease::settle() {
  while (!work_.empty()) {
    const Parameter parameter = work_.back();
    work_.pop_back();
    look_at(parameter);
  }
}

void AfterRelease::look_at(const Parameter& parameter) {
  Known& known = parameters_.at(parameter);
  known.is_waiting = false;
  if (known.was_looked_at_closer) {
    return;
  }
  const HandleOrigin origin{parameter.first, Function::kEntry, parameter.second, {}, 0, false};
  const std::optional<Parameter> asker = std::exchange(asking_, parameter);
  ++depth_;
  Summary summary = Walk(*this, parameter.first).run(origin);
  --depth_;
  asking_ = asker;
  if (summary.has_both && question_.look_closer) {
    if (const std::optional<Summary> closer = question_.look_closer(origin)) {
      known.was_looked_at_closer = true;
      summary = *closer;
    }
  }
  const Summary before = known.summary;
  known.summary.join(summary);
  if (known.summary == before) {
    return;
  }
  for (const Parameter& user : known.users) {
    if (Known& other = parameters_.at(user); !other.is_waiting) {
      other.is_waiting = true;
      work_.push_back(user);
    }
  }
}

}  // namespace nestor::program
