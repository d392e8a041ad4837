#include "cluster/exploration.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace nestor::cluster {

namespace {

constexpr std::size_t kHead = 5;  // words of a batch before its items
constexpr std::size_t kExpandBetweenPolls = 32;
constexpr std::size_t kStatesBetweenReports = 1024;
constexpr std::size_t kMostCarried = 64;  // states that a search for covered ones takes along

std::uint64_t join(Word low, Word high) {
  return std::uint64_t{high} << 32 | low;
}

/// Steps and states are watched for all processes together.
base::Limits own_limits(base::Limits limits) {
  limits.steps.reset();
  return limits;
}

}  // namespace

GraphPart::GraphPart(model::SuccessorFunction& model, int processes) : states(model) {
  for (int r = 0; r < processes; ++r) {
    edges.emplace_back(model.mark_count() > 0);
  }
}

Exploration::Exploration(Communicator& communicator, GraphPart& part, const ExploreHow& how)
    : communicator_(communicator),
      part_(part),
      model_(part.states.model()),
      how_(how),
      owners_(communicator.size()),
      guard_(own_limits(how.limits)),
      known_(static_cast<std::size_t>(communicator.size())),
      fixed_words_(model_.portable_words()),
      marked_(model_.mark_count() > 0) {}

std::string Exploration::go_on() {
  std::string reason;
  pausing_ = false;
  try {
    communicator_.within_limits([&] {
      if (part_.initial.empty()) {
        find_initial();
      }
    });
    reason = communicator_.run([&](int from, std::span<const Word> batch) { take(from, batch); },
                               [&] { work(); });
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  }
  communicator_.agree([&] {
    if (problem_) {
      throw base::Error(*problem_);
    }
  });
  lost_ = communicator_.any(lost_);
  // Whoever has another reason to stop goes before who wants a pause.
  if (reason.empty() && communicator_.any(pausing_)) {
    return {};
  }
  const Known total{communicator_.sum(part_.states.size()), communicator_.sum(guard_.steps())};
  if (reason.empty()) {
    reason = passed_limit(total);
  }
  complete_ = reason.empty();
  return reason;
}

void Exploration::find_initial() {
  try {
    part_.states.initial(successors_, guard_);
  } catch (const base::Error& error) {
    problem_ = error;
    return;
  }
  if (successors_.items().empty()) {
    problem_ = base::Error(base::Error::Kind::Input, "the model has no initial state");
  }
  for (const SuccessorList::Item& item : successors_.items()) {
    if (owners_.of_hash(item.hash) == communicator_.rank()) {
      const LocalStates::Inserted inserted = part_.states.insert(successors_, item, guard_);
      part_.initial.push_back(inserted.number);
      part_.parent.push_back(inserted.number);
      part_.parent_process.push_back(static_cast<std::uint16_t>(communicator_.rank()));
    }
  }
}

void Exploration::work() {
  while (!communicator_.is_stopped()) {
    if (!searches_.empty()) {
      std::vector<Word> search = std::move(searches_.back());
      searches_.pop_back();
      follow(std::move(search));
    } else if (problem_) {
      communicator_.stop("the model has a mistake");
    } else if (part_.out_degree.size() < part_.states.size()) {
      expand_next();
    } else {
      return;
    }
    if (part_.out_degree.size() % kExpandBetweenPolls == 0) {
      communicator_.poll();
      look_at_totals();
      if (how_.wants_pause && how_.wants_pause()) {
        pausing_ = true;
        communicator_.stop({});
      }
    }
  }
}

void Exploration::expand_next() {
  const auto number = static_cast<Word>(part_.out_degree.size());
  bool grown = false;
  try {
    grown = part_.states.expand(number, successors_, guard_);
  } catch (const base::Error& error) {
    problem_ = error;
    return;
  }
  if (successors_.items().empty() &&
      (how_.dead_ends == model::DeadEnds::Loop || how_.dead_ends == model::DeadEnds::Error)) {
    end_dead(number);
    return;
  }
  base::reserve_one_more(part_.out_degree, guard_);
  try {
    hand_out(number);
  } catch (...) {
    lost_ = true;  // some of its successors are known, and some are not
    throw;
  }
  part_.out_degree.push_back(static_cast<Word>(successors_.items().size()));
  if (grown) {
    look_for_covering(number);
  }
}

/// The successors of `number`, to their owners.
void Exploration::hand_out(Word number) {
  for (const SuccessorList::Item& item : successors_.items()) {
    const int owner = owners_.of_hash(item.hash);
    if (owner == communicator_.rank()) {
      const LocalStates::Inserted to = part_.states.insert(successors_, item, guard_);
      add_edge(owner, {number, to.number, item.marks}, to.is_new);
    } else {
      send(number, item);
    }
  }
}

void Exploration::end_dead(Word number) {
  if (how_.dead_ends == model::DeadEnds::Error) {
    problem_ =
        base::Error(base::Error::Kind::Input,
                    fmt::format("'{}' has no successors", model_.describe(part_.states[number])));
    return;
  }
  add_edge(communicator_.rank(), {number, number, 0}, false);  // which satisfies no constraint
  part_.out_degree.push_back(1);
}

void Exploration::add_edge(int from_process, const Edge& edge, bool is_new) {
  if (is_new) {
    base::reserve_one_more(part_.parent, guard_);
    part_.parent.push_back(edge.from);
    part_.parent_process.push_back(static_cast<std::uint16_t>(from_process));
  }
  part_.edges[static_cast<std::size_t>(from_process)].append(edge);
}

void Exploration::begin_batch(int to, Kind kind) {
  std::vector<Word>& batch = communicator_.batch(to);
  if (!batch.empty() && batch.front() != kind) {
    communicator_.flush(to);
  }
  if (batch.empty()) {
    const std::uint64_t states = part_.states.size();
    const std::uint64_t steps = guard_.steps();
    batch.assign({kind, static_cast<Word>(states), static_cast<Word>(states >> 32),
                  static_cast<Word>(steps), static_cast<Word>(steps >> 32)});
  }
}

void Exploration::send(Word from, const SuccessorList::Item& item) {
  const int to = owners_.of_hash(item.hash);
  const Portable state = successors_.portable(item);
  various_ = various_ || state.size() != fixed_words_;
  begin_batch(to, various_ ? kVarious : kFixed);
  std::vector<Word>& batch = communicator_.batch(to);
  batch.push_back(from);
  if (marked_) {
    batch.push_back(item.marks);
  }
  if (various_) {
    batch.push_back(static_cast<Word>(state.size()));
  }
  batch.insert(batch.end(), state.begin(), state.end());
  communicator_.maybe_send(to);
}

void Exploration::take(int from, std::span<const Word> batch) {
  NESTOR_CHECK(batch.size() >= kHead);
  Known& known = known_[static_cast<std::size_t>(from)];
  known.states = std::max(known.states, join(batch[1], batch[2]));
  known.steps = std::max(known.steps, join(batch[3], batch[4]));
  const Kind kind{batch[0]};
  if (kind == kCovering) {
    searches_.emplace_back(batch.begin() + kHead, batch.end());
  } else if (!lost_) {
    try {
      take_states(from, kind, batch.subspan(kHead));
    } catch (...) {
      lost_ = true;
      throw;
    }
  }
}

void Exploration::take_states(int from, Kind kind, std::span<const Word> items) {
  for (std::size_t at = 0; at < items.size();) {
    const Word number = items[at++];
    const Word marks = marked_ ? items[at++] : 0;
    const std::size_t size = kind == kVarious ? items[at++] : fixed_words_;
    const LocalStates::Inserted to = part_.states.insert(items.subspan(at, size), guard_);
    at += size;
    add_edge(from, {number, to.number, marks}, to.is_new);
  }
}

std::string Exploration::passed_limit(const Known& total) const {
  if (how_.limits.states && total.states > *how_.limits.states) {
    return fmt::format("more than {} states", *how_.limits.states);
  }
  if (how_.limits.steps && total.steps > *how_.limits.steps) {
    return fmt::format("more than {} steps", *how_.limits.steps);
  }
  return {};
}

/// What others have said is less than there is: a limit that it passes is passed.
void Exploration::look_at_totals() {
  Known total{part_.states.size(), guard_.steps()};
  for (const Known& known : known_) {
    total.states += known.states;
    total.steps += known.steps;
  }
  if (const std::string reason = passed_limit(total); !reason.empty()) {
    throw base::LimitReached{reason};
  }
  if (how_.progress && part_.out_degree.size() % kStatesBetweenReports == 0) {
    how_.progress(total.states,
                  part_.out_degree.size() * static_cast<std::size_t>(communicator_.size()));
  }
}

// A number in a state has outgrown its width: see model::StateStore. The states on the way to it
// lie in other processes, so the search goes there: it carries the new states and the last ones on
// the way, and is passed on from each state to who found it. Words: process and number of the next
// state on the way, how many it carries, and each with its length.

void Exploration::look_for_covering(Word expanded) {
  std::vector<Word> search{static_cast<Word>(communicator_.rank()), expanded, 0};
  for (const SuccessorList::Item& item : successors_.items()) {
    if (search[2] < kMostCarried) {
      const Portable state = successors_.portable(item);
      search.push_back(static_cast<Word>(state.size()));
      search.insert(search.end(), state.begin(), state.end());
      ++search[2];
    }
  }
  follow(std::move(search));
}

void Exploration::follow(std::vector<Word> search) {
  while (static_cast<int>(search[0]) == communicator_.rank()) {
    const Word number = search[1];
    compare(search, number);
    if (search[2] < 2 * kMostCarried) {
      const std::size_t place = search.size();
      search.push_back(0);
      part_.states.write_portable(number, search);
      search[place] = static_cast<Word>(search.size() - place - 1);
      ++search[2];
    }
    const Word next = part_.parent[number];
    if (next == number && part_.parent_process[number] == search[0]) {
      return;  // it is initial
    }
    search[0] = part_.parent_process[number];
    search[1] = next;
  }
  const auto to = static_cast<int>(search[0]);
  communicator_.flush(to);
  begin_batch(to, kCovering);
  std::vector<Word>& batch = communicator_.batch(to);
  batch.insert(batch.end(), search.begin(), search.end());
  communicator_.flush(to);
}

void Exploration::compare(std::span<const Word> search, Word number) {
  std::size_t at = 3;
  for (Word left = search[2]; left > 0; --left) {
    const std::size_t size = search[at];
    guard_.tick();
    const base::StateView above = part_.states.decode(search.subspan(at + 1, size), guard_);
    const base::TakenState below = part_.states[number];
    if (model_.strictly_covers(above, below)) {
      throw base::LimitReached{fmt::format("unbounded: {} comes after {} and strictly covers it",
                                           model_.describe(above), model_.describe(below))};
    }
    at += 1 + size;
  }
}

}  // namespace nestor::cluster
