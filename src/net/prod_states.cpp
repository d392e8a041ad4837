#include "net/prod_states.h"

#include "base/error.h"
#include "base/limits.h"
#include "net/petri_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace nestor::net {

namespace {

constexpr std::uint64_t kFirstTokens = 4;  // that a place may have before it is looked at

bool is_outside(const ProdNet::Place& place, std::span<const std::int64_t> tuple) {
  for (std::size_t i = 0; i < place.lo.size(); ++i) {
    if (tuple[i] < place.lo[i] || tuple[i] > place.hi[i]) {
      return true;
    }
  }
  return false;
}

/// A bit more than `needed`, so that states seldom get wider.
std::uint32_t with_slack(std::size_t needed) {
  return static_cast<std::uint32_t>(needed + needed / 4);
}

}  // namespace

ProdStates::ProdStates(std::shared_ptr<const ProdModel> model)
    : model_(std::move(model)),
      rooms_(model_->net().places.size()),
      most_tokens_(model_->net().places.size(), kFirstTokens),
      binder_(*model_, tuples_),
      marking_(model_->net().places.size()) {
  const std::vector<ProdNet::Place>& places = model_->net().places;
  for (std::size_t p = 0; p < places.size(); ++p) {
    TupleTable& table = tuples_.emplace_back(places[p].width);
    std::uint64_t total = 0;
    for (const auto& [tuple, count] : places[p].marking) {
      table.intern(tuple);
      rooms_[p].most = std::max(rooms_[p].most, static_cast<std::uint32_t>(count));
      total += static_cast<std::uint64_t>(count);
    }
    rooms_[p].tuples = std::max(1U, table.size());
    rooms_[p].kinds = std::max(1U, table.size());
    while (most_tokens_[p] < total) {
      most_tokens_[p] *= 2;
    }
  }
  now_ = lay_out();
}

ProdStates::Width ProdStates::lay_out() const {
  Width width;
  width.layout = MarkingLayout(rooms_);
  width.next.assign(width.layout.words(), 0);
  return width;
}

void ProdStates::initial_states(model::StateSink& sink) {
  std::ranges::fill(now_.next, 0);
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    tokens_.clear();
    for (const auto& [tuple, count] : model_->net().places[p].marking) {
      tokens_.push_back({tuples_[p].find(tuple), static_cast<std::uint32_t>(count)});
    }
    const bool fits = now_.layout.write(now_.next, p, tokens_);
    NESTOR_CHECK(fits);
  }
  sink.add(now_.next);
}

class ProdStates::Firing final : public ProdBinder::Visitor {
 public:
  Firing(ProdStates& states, base::StateView state, model::StateSink& sink)
      : states_(states), state_(state), sink_(sink) {}

  bool visit(const FiringMode& mode) override {
    std::ranges::copy(state_, states_.now_.next.begin());
    if (!states_.fire(mode)) {
      return false;
    }
    sink_.add(states_.now_.next);
    return true;
  }
  void tick() override { sink_.tick(); }

 private:
  ProdStates& states_;
  base::StateView state_;
  model::StateSink& sink_;
};

bool ProdStates::successors(base::StateView state, model::StateSink& sink) {
  marking_.open(now_.layout, state);
  Firing firing(*this, state, sink);
  for (std::size_t t = 0; t < model_->transitions().size(); ++t) {
    if (!binder_.bind(t, marking_, firing)) {
      return false;
    }
  }
  return true;
}

/// Makes the marking after the firing in now_.next, which holds the one before. False if it does
/// not fit; then wider_ is wide enough.
bool ProdStates::fire(const FiringMode& mode) {
  changes_.clear();
  for (const FiringMode::Taken& taken : mode.taken) {
    changes_.push_back({taken.place, taken.tuple, -std::int64_t{taken.count}});
  }
  for (const ProdNet::Pattern& pattern : model_->net().transitions[mode.transition].outputs) {
    give(mode, pattern);
  }
  sum_up(changes_);
  bool fits = true;
  bool has_grown = false;
  for (std::size_t first = 0; first < changes_.size();) {
    std::size_t last = first;
    while (last < changes_.size() && changes_[last].place == changes_[first].place) {
      ++last;
    }
    const std::size_t place = changes_[first].place;
    const Place after = change_place(std::span(changes_).subspan(first, last - first));
    const bool grows = after.total > most_tokens_[place];
    if (grows || !after.fits) {
      make_room(place, after);
      fits = false;
      has_grown = has_grown || grows;
    }
    first = last;
  }
  if (!fits) {
    wider_ = lay_out();
    wider_.has_grown = has_grown;
  }
  return fits;
}

void ProdStates::give(const FiringMode& mode, const ProdNet::Pattern& pattern) {
  const ProdNet::Transition& transition = model_->net().transitions[mode.transition];
  const auto value = [&](const ProdExpression& expression) {
    const std::optional<std::int64_t> result = evaluate(expression, mode.binding);
    if (!result) {
      model_->fail(expression.at, fmt::format("no value: a division by zero or a number too large, "
                                              "in transition '{}'",
                                              transition.name));
    }
    return *result;
  };
  const std::int64_t count = value(pattern.count);
  if (count < 0) {
    model_->fail(pattern.at,
                 fmt::format("a negative number of tuples, in transition '{}'", transition.name));
  }
  tuple_.clear();
  for (const ProdExpression& field : pattern.fields) {
    tuple_.push_back(value(field));
  }
  if (count == 0) {
    return;
  }
  if (is_outside(model_->net().places[pattern.place], tuple_)) {
    model_->fail(pattern.at,
                 fmt::format("transition '{}' puts {} into place '{}', outside of its bounds",
                             to_text(model_->names().step_name(mode.transition, mode.binding)),
                             model_->names().tuple_text(pattern.place, tuple_),
                             model_->net().places[pattern.place].name));
  }
  changes_.push_back({pattern.place, tuples_[pattern.place].intern(tuple_), count});
}

/// Sorted by place and tuple, each once, none of zero.
void ProdStates::sum_up(std::vector<Change>& changes) {
  std::ranges::sort(changes, {},
                    [](const Change& change) { return std::pair(change.place, change.tuple); });
  std::size_t size = 0;
  for (std::size_t i = 0; i < changes.size();) {
    Change sum = changes[i++];
    for (; i < changes.size() && changes[i].place == sum.place && changes[i].tuple == sum.tuple;
         ++i) {
      sum.count += changes[i].count;
    }
    if (sum.count != 0) {
      changes[size++] = sum;
    }
  }
  changes.resize(size);
}

/// Changes one place in now_.next.
ProdStates::Place ProdStates::change_place(std::span<const Change> changes) {
  const std::size_t place = changes.front().place;
  const Tokens& before = marking_[place];
  const bool one_by_one = now_.layout.has_counts(place);
  Place after{before.size(), marking_.total(place), 0, true};
  PlaceRoom& room = rooms_[place];
  tokens_.clear();
  auto old = before.begin();
  for (const Change& change : changes) {
    while (old != before.end() && old->tuple < change.tuple) {
      tokens_.push_back(*old++);
    }
    const bool was_there = old != before.end() && old->tuple == change.tuple;
    const std::int64_t count = change.count + (was_there ? (old++)->count : 0);
    NESTOR_CHECK(count >= 0);
    if (count > PetriNet::kMostTokens) {
      throw base::LimitReached{fmt::format("more than {} tokens in place '{}'",
                                           PetriNet::kMostTokens,
                                           model_->net().places[place].name)};
    }
    const TupleCount now{change.tuple, static_cast<std::uint32_t>(count)};
    if (count > 0) {
      tokens_.push_back(now);
      // Noted also if it fits, for another layout: this one may have room for more than was asked.
      room.most = std::max(room.most, now.count);
      room.tuples = std::max(room.tuples, now.tuple + 1);
    }
    after.kinds = after.kinds + (count > 0 ? 1 : 0) - (was_there ? 1 : 0);
    after.total += static_cast<std::uint64_t>(change.count);  // modulo 2^64
    after.tuples = std::max(after.tuples, now.tuple + 1);
    after.fits = after.fits &&
                 (!one_by_one || now_.layout.set_count(now_.next, place, now.tuple, now.count));
  }
  room.kinds = std::max(room.kinds, static_cast<std::uint32_t>(after.kinds));
  if (!one_by_one) {
    tokens_.insert(tokens_.end(), old, before.end());
    after.fits = now_.layout.write(now_.next, place, tokens_);
  }
  return after;
}

/// More than is needed now, so that states seldom get wider.
void ProdStates::make_room(std::size_t place, const Place& after) {
  while (most_tokens_[place] < after.total) {
    most_tokens_[place] *= 2;
  }
  PlaceRoom& room = rooms_[place];
  const PlaceRoom& there = now_.layout.room(place);
  if (after.kinds > there.kinds) {
    room.kinds = std::max(room.kinds, with_slack(after.kinds));
  }
  if (after.tuples > there.tuples) {
    room.tuples = std::max(room.tuples, with_slack(tuples_[place].size()));
  }
}

void ProdStates::widen(base::StateView before, base::StateBuffer wider) const {
  Tokens tokens;
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    now_.layout.read(before, p, tokens);
    const bool fits = wider_.layout.write(wider, p, tokens);
    NESTOR_CHECK(fits);
  }
}

void ProdStates::write_portable(base::StateView state, std::vector<std::uint32_t>& portable) const {
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    const Tokens tokens = in_order(state, p);
    portable.push_back(static_cast<std::uint32_t>(tokens.size()));
    for (const TupleCount& token : tokens) {
      portable.push_back(token.count);
      for (const std::int64_t value : tuples_[p][token.tuple]) {
        const auto bits = static_cast<std::uint64_t>(value);
        portable.push_back(static_cast<std::uint32_t>(bits));
        portable.push_back(static_cast<std::uint32_t>(bits >> 32));
      }
    }
  }
}

bool ProdStates::read_portable(std::span<const std::uint32_t> portable, base::StateBuffer state) {
  std::ranges::fill(state, 0);
  bool fits = true;
  std::size_t next = 0;
  const auto take = [&] {
    NESTOR_CHECK(next < portable.size());
    return portable[next++];
  };
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    Place after;
    tokens_.clear();
    for (std::uint32_t left = take(); left > 0; --left) {
      const std::uint32_t count = take();
      tuple_.clear();
      for (std::size_t i = 0; i < model_->net().places[p].width; ++i) {
        const std::uint64_t low = take();
        tuple_.push_back(static_cast<std::int64_t>(low | std::uint64_t{take()} << 32));
      }
      const TupleCount token{tuples_[p].intern(tuple_), count};
      tokens_.push_back(token);
      rooms_[p].most = std::max(rooms_[p].most, count);
      rooms_[p].tuples = std::max(rooms_[p].tuples, token.tuple + 1);
      after.total += count;
      after.tuples = std::max(after.tuples, token.tuple + 1);
    }
    std::ranges::sort(tokens_, {}, &TupleCount::tuple);
    after.kinds = tokens_.size();
    rooms_[p].kinds = std::max(rooms_[p].kinds, static_cast<std::uint32_t>(after.kinds));
    if (after.total > most_tokens_[p] || !now_.layout.write(state, p, tokens_)) {
      make_room(p, after);
      fits = false;
    }
  }
  NESTOR_CHECK(next == portable.size());
  if (!fits) {
    wider_ = lay_out();
    wider_.has_grown = false;  // whoever found the state has seen to that
  }
  return fits;
}

bool ProdStates::strictly_covers(base::StateView above, base::StateView below) const {
  bool larger = false;
  Tokens high;
  Tokens low;
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    now_.layout.read(above, p, high);
    now_.layout.read(below, p, low);
    auto it = high.begin();
    for (const TupleCount& token : low) {
      it = std::find_if(it, high.end(),
                        [&](const TupleCount& other) { return other.tuple >= token.tuple; });
      if (it == high.end() || it->tuple != token.tuple || it->count < token.count) {
        return false;
      }
      larger = larger || it->count > token.count;
    }
    larger = larger || high.size() > low.size();
  }
  return larger;
}

Tokens ProdStates::in_order(base::StateView state, std::size_t place) const {
  Tokens tokens;
  now_.layout.read(state, place, tokens);
  const TupleTable& table = tuples_[place];
  std::ranges::sort(tokens, [&](const TupleCount& a, const TupleCount& b) {
    return std::ranges::lexicographical_compare(table[a.tuple], table[b.tuple]);
  });
  return tokens;
}

/// What lies in the place, of one tuple or of all.
void ProdStates::append(std::string& text, base::StateView state, std::size_t place,
                        std::optional<std::uint32_t> tuple) const {
  for (const TupleCount& token : in_order(state, place)) {
    if (!tuple || token.tuple == *tuple) {
      text += text.size() == 1 ? "" : ", ";
      text += model_->names().text(place, tuples_[place][token.tuple]);
      text += token.count == 1 ? std::string() : fmt::format(": {}", token.count);
    }
  }
}

std::string ProdStates::describe(base::StateView state) const {
  std::string text = "{";
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    append(text, state, p, std::nullopt);
  }
  return text + "}";
}

std::optional<std::string> ProdStates::describe_part(base::StateView state,
                                                     std::string_view part) const {
  const std::optional<ProdNames::Named> named = model_->names().find_place(part);
  if (!named) {
    return std::nullopt;
  }
  std::string text = "{";
  append(text, state, named->place,
         named->tuple ? std::optional(tuples_[named->place].find(*named->tuple)) : std::nullopt);
  return text + "}";
}

}  // namespace nestor::net
