#include "net/net_states.h"

#include "base/error.h"
#include "base/limits.h"
#include "net/place_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nestor::net {

NetStates::NetStates(PetriNet net)
    : net_(std::move(net)),
      most_(net_.place_count()),
      waiting_(net_.place_count()),
      changes_(net_.transition_count()) {
  for (const PlaceId p : net_.places()) {
    most_[p] = std::max(1U, net_.place(p).tokens);
  }
  for (const TransitionId t : net_.transitions()) {
    const PetriNet::Transition& transition = net_.transition(t);
    if (transition.inputs.empty()) {
      without_inputs_.push_back(t);
    } else {
      waiting_[transition.inputs.front().place].push_back(t);
    }
    // Both lists are sorted by place.
    auto in = transition.inputs.begin();
    auto out = transition.outputs.begin();
    while (in != transition.inputs.end() || out != transition.outputs.end()) {
      const bool takes = in != transition.inputs.end() &&
                         (out == transition.outputs.end() || in->place <= out->place);
      const bool gives = out != transition.outputs.end() &&
                         (in == transition.inputs.end() || out->place <= in->place);
      const Change change{takes ? in->place : out->place, takes ? in->weight : 0,
                          gives ? out->weight : 0};
      if (change.taken != change.given) {
        changes_[t].push_back(change);
      }
      in += takes ? 1 : 0;
      out += gives ? 1 : 0;
    }
  }
  now_ = lay_out(nullptr);
  first_fields_ = now_.fields;
  first_layout_ = now_.kept;
}

std::shared_ptr<NetStates> NetStates::started_at(std::span<const std::uint32_t> tokens) const {
  NESTOR_CHECK(tokens.size() == net_.place_count());
  PetriNet net = net_;
  for (const PlaceId p : net.places()) {
    net.place(p).tokens = tokens[p.value()];
  }
  auto states = std::make_shared<NetStates>(std::move(net));
  states->named_transitions_ = named_transitions_;
  states->name_step_ = name_step_;
  states->find_places_ = find_places_;
  return states;
}

const NetStates::Names& NetStates::names() const {
  std::call_once(names_are_known_, [&] {
    for (const PlaceId p : net_.places()) {
      names_.places.emplace(net_.place(p).name, p);
    }
    for (const TransitionId t : net_.transitions()) {
      names_.transitions[net_.transition(t).name].push_back(t);
    }
  });
  return names_;
}

/// Null if there are none of that name.
const std::vector<TransitionId>* NetStates::find_transitions(std::string_view name) const {
  for (const auto* const all : {&named_transitions_, &names().transitions}) {
    if (const auto found = all->find(name); found != all->end()) {
      return &found->second;
    }
  }
  return nullptr;
}

std::optional<std::vector<PlaceId>> NetStates::find_places(std::string_view name) const {
  if (find_places_) {
    return find_places_(name);
  }
  const auto found = names().places.find(name);
  return found == names().places.end() ? std::nullopt : std::optional(std::vector{found->second});
}

model::StepName NetStates::step_name(TransitionId t) const {
  return name_step_ ? name_step_(t) : model::StepName{net_.transition(t).name};
}

void NetStates::name_transitions(const std::string& name, std::vector<TransitionId> transitions) {
  named_transitions_[name] = std::move(transitions);
}

NetStates::Width NetStates::lay_out(std::shared_ptr<const Form> form) const {
  Width width;
  width.form = std::move(form);
  width.fields = base::IdVector<PlaceId, base::BitField>(net_.place_count());
  if (!width.form) {
    for (const PlaceId p : net_.places()) {
      width.fields[p] = width.kept.add(most_[p]);
    }
    width.words = width.kept.words();
    width.next.assign(width.words, 0);
    return width;
  }
  for (const PlaceId p : width.form->order) {
    width.fields[p] = width.kept.add(most_[p]);
  }
  width.words = width.kept.words();
  base::BitLayout behind;
  for (const auto& [p, implied] : width.form->implied) {
    width.fields[p] = behind.add(most_[p]);
    width.fields[p].word += static_cast<std::uint32_t>(width.words);
  }
  width.implied = ImpliedFields(width.form->implied, width.fields);
  width.whole.assign(width.words + behind.words(), 0);
  width.next = width.whole;
  return width;
}

/// Writes the state and the places that follow from it.
base::StateView NetStates::write_marking(base::StateView state, base::StateBuffer marking) const {
  std::ranges::copy(state, marking.begin());
  now_.implied.fill_in(marking);
  return marking;
}

base::StateView NetStates::marking_of(base::StateView state) {
  return now_.whole.empty() ? state : write_marking(state, now_.whole);
}

void NetStates::initial_states(model::StateSink& sink) {
  std::ranges::fill(now_.next, 0);
  for (const PlaceId p : net_.places()) {
    now_.fields[p].set(now_.next, net_.place(p).tokens);
  }
  sink.add(base::StateView(now_.next.data(), now_.words));
}

/// Making a plan takes a while in a large net, and a place may be too narrow soon.
const FiringPlan* NetStates::plan() {
  constexpr std::size_t kTransitionsAMarking = 16;
  if (!now_.plan && ++now_.asked * kTransitionsAMarking > net_.transition_count()) {
    now_.plan.emplace(net_, now_.fields, changes_, waiting_);
  }
  return now_.plan ? &*now_.plan : nullptr;
}

bool NetStates::successors(base::StateView state, model::StateSink& sink) {
  const base::StateView marking = marking_of(state);
  const auto look = [&](TransitionId t) {
    sink.tick();
    return !is_enabled(marking, t) || fire_into(marking, t, sink);
  };
  if (!std::ranges::all_of(without_inputs_, look)) {
    return false;
  }
  if (const FiringPlan* const plan = this->plan(); plan != nullptr) {
    return plan->for_each_waiting(marking, [&](TransitionId t) {
      sink.tick();
      return !plan->is_enabled(marking, t) || fire_into(marking, t, sink);
    });
  }
  for (const PlaceId p : net_.places()) {
    if (!waiting_[p].empty() && tokens(marking, p) > 0 && !std::ranges::all_of(waiting_[p], look)) {
      return false;
    }
  }
  return true;
}

/// Of an enabled transition.
bool NetStates::fire_into(base::StateView marking, TransitionId t, model::StateSink& sink) {
  if (!net_.transition(t).forbidden.empty()) {
    throw base::Error(base::Error::Kind::Input, net_.transition(t).forbidden,
                      net_.transition(t).at);
  }
  if (now_.plan && now_.plan->fits(marking, t)) {
    std::ranges::copy(marking, now_.next.begin());
    now_.plan->fire(now_.next, t);
  } else if (!fire(marking, t)) {
    return false;
  }
  sink.add(base::StateView(now_.next.data(), now_.words));
  return true;
}

/// Writes the marking after `t` to now_.next. False if it does not fit; then wider_ is wide enough.
bool NetStates::fire(base::StateView marking, TransitionId t) {
  std::ranges::copy(marking, now_.next.begin());
  bool fits = true;
  for (const Change& change : changes_[t]) {
    const std::uint64_t after =
        std::uint64_t{tokens(marking, change.place)} - change.taken + change.given;
    if (after > PetriNet::kMostTokens) {
      throw base::LimitReached{fmt::format("more than {} tokens in place '{}'",
                                           PetriNet::kMostTokens, net_.place(change.place).name)};
    }
    if (after > now_.fields[change.place].mask) {
      most_[change.place] = static_cast<std::uint32_t>(after);
      fits = false;
    } else {
      now_.fields[change.place].set(now_.next, static_cast<std::uint32_t>(after));
    }
  }
  if (!fits) {
    prepare_wider(now_.form);
  }
  return fits;
}

/// Neighbours that stay neighbours go together. What states have, narrower ones have as well.
void NetStates::prepare_wider(std::shared_ptr<const Form> form) {
  wider_ = lay_out(std::move(form));
  for (const PlaceId p : net_.places()) {
    const base::BitField& from = now_.fields[p];
    const base::BitField& to = wider_.fields[p];
    if (to.word >= wider_.words) {
      continue;
    }
    const Move move{from.word, from.mask << from.shift, to.word,
                    static_cast<int>(to.shift) - static_cast<int>(from.shift)};
    if (!wider_.moves.empty() && wider_.moves.back().from == move.from &&
        wider_.moves.back().to == move.to && wider_.moves.back().left == move.left) {
      wider_.moves.back().bits |= move.bits;
    } else {
      wider_.moves.push_back(move);
    }
  }
}

/// With and without the places that follow from others, in the order of the file and in one that
/// brings together what changes together; which form has states that share most, nobody knows.
void NetStates::find_forms(base::LimitGuard& guard) {
  ImpliedPlaces implied = implied_places(net_, most_, guard);
  const std::vector<PlaceId> of_file(net_.places().begin(), net_.places().end());
  const std::vector<PlaceId> near = place_order(net_, guard);
  const auto add = [&](const std::vector<PlaceId>& order, const ImpliedPlaces& left_out) {
    auto form = std::make_shared<Form>(Form{order, left_out});
    std::erase_if(form->order, [&](PlaceId p) { return left_out.contains(p); });
    forms_.push_back(std::move(form));
  };
  add(near, {});
  if (!implied.empty()) {
    add(near, implied);
    add(of_file, implied);
  }
}

bool NetStates::prepare_form(std::size_t number, base::LimitGuard& guard) {
  if (now_.form) {
    return false;
  }
  if (forms_.empty()) {
    find_forms(guard);
  }
  if (number >= forms_.size()) {
    return false;
  }
  prepare_wider(forms_[number]);
  return true;
}

void NetStates::widen(base::StateView before, base::StateBuffer wider) const {
  std::ranges::fill(wider, 0);
  for (const Move& move : wider_.moves) {
    const std::uint32_t bits = before[move.from] & move.bits;
    wider[move.to] |= move.left >= 0 ? bits << move.left : bits >> -move.left;
  }
}

void NetStates::write_portable(base::StateView state, std::vector<std::uint32_t>& portable) const {
  if (times_wider() == 0) {
    portable.insert(portable.end(), state.begin(), state.end());
    return;
  }
  const std::size_t first = portable.size();
  portable.resize(first + first_layout_.words(), 0);
  for (const PlaceId p : net_.places()) {
    const std::uint32_t count = tokens(state, p);
    const base::BitField& field = first_fields_[p];
    field.set(std::span(portable).subspan(first), count & field.mask);
    if (count > field.mask) {
      portable.push_back(p.value());
      portable.push_back(count);
    }
  }
}

bool NetStates::read_portable(std::span<const std::uint32_t> portable, base::StateBuffer state) {
  const std::size_t words = first_layout_.words();
  if (times_wider() == 0 && portable.size() == words) {
    std::ranges::copy(portable, state.begin());
    return true;
  }
  bool fits = true;
  for (std::size_t i = words; i + 1 < portable.size(); i += 2) {
    std::uint32_t& most = most_[PlaceId(portable[i])];
    if (portable[i + 1] > now_.fields[PlaceId(portable[i])].mask) {
      most = std::max(most, portable[i + 1]);
      fits = false;
    }
  }
  if (!fits) {
    prepare_wider(now_.form);
    return false;
  }
  std::ranges::fill(state, 0);
  const auto write = [&](PlaceId p, std::uint32_t tokens) {
    if (now_.fields[p].word < state.size()) {
      now_.fields[p].set(state, tokens);
    }
  };
  for (const PlaceId p : net_.places()) {
    write(p, first_fields_[p].get(portable.first(words)));
  }
  for (std::size_t i = words; i + 1 < portable.size(); i += 2) {
    write(PlaceId(portable[i]), portable[i + 1]);
  }
  return true;
}

bool NetStates::strictly_covers(base::StateView above, base::StateView below) const {
  bool larger = false;
  for (const PlaceId p : net_.places()) {
    const std::uint32_t high = tokens(above, p);
    const std::uint32_t low = tokens(below, p);
    if (high < low) {
      return false;
    }
    larger = larger || high > low;
  }
  return larger;
}

std::string NetStates::describe(base::StateView state) const {
  return describe(state, net_.places());
}

std::optional<std::string> NetStates::describe_part(base::StateView state,
                                                    std::string_view part) const {
  const std::optional<std::vector<PlaceId>> places = find_places(part);
  return places ? std::optional(describe(state, *places)) : std::nullopt;
}

template <class Places>
std::string NetStates::describe(base::StateView state, const Places& places) const {
  std::string text = "{";
  for (const PlaceId p : places) {
    append_tokens(text, net_.place(p).name, tokens(state, p));
  }
  return text + "}";
}

void append_tokens(std::string& text, std::string_view place, std::uint32_t tokens) {
  if (tokens > 0) {
    text += fmt::format("{}{}", text.size() == 1 ? "" : ", ", place);
    text += tokens == 1 ? std::string() : fmt::format(": {}", tokens);
  }
}

/// The first enabled transition whose effect is the difference.
std::optional<model::StepName> NetStates::find_step(base::StateView from,
                                                    base::StateView to) const {
  std::vector<PlaceId> differ;
  for (const PlaceId p : net_.places()) {
    if (tokens(from, p) != tokens(to, p)) {
      differ.push_back(p);
    }
  }
  for (const TransitionId t : net_.transitions()) {
    const std::vector<Change>& changes = changes_[t];
    const auto leads_there = [&](const Change& change) {
      return tokens(from, change.place) - std::uint64_t{change.taken} + change.given ==
             tokens(to, change.place);
    };
    if (std::ranges::equal(changes, differ, {}, &Change::place) &&
        std::ranges::all_of(changes, leads_there) && is_enabled(from, t)) {
      return step_name(t);
    }
  }
  return std::nullopt;
}

std::string NetStates::describe_change(base::StateView from, base::StateView to) const {
  std::string text;
  for (const bool goes : {true, false}) {
    for (const PlaceId p : net_.places()) {
      const std::int64_t more = std::int64_t{tokens(to, p)} - tokens(from, p);
      if (more != 0 && (more < 0) == goes) {
        text +=
            fmt::format("{}{}{}", text.empty() ? "" : " ", goes ? '-' : '+', net_.place(p).name);
        text += more == 1 || more == -1 ? std::string() : fmt::format(": {}", goes ? -more : more);
      }
    }
  }
  return text;
}

}  // namespace nestor::net
