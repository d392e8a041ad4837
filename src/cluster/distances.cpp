#include "cluster/distances.h"

#include <deque>
#include <utility>

namespace nestor::cluster {

namespace {
constexpr std::size_t kStatesBetweenLooks = 256;
}  // namespace

Distances::Distances(Communicator& communicator, const LabelledPart& part,
                     const base::BitSet& along, const base::BitSet& goals,
                     const base::Limits& limits) {
  std::deque<Word> open;
  base::BitSet is_open;
  std::optional<base::LimitGuard> guard;
  communicator.within_limits([&] {
    guard.emplace(limits);
    distance_.assign(part.states.size(), kFar);
    is_open = base::BitSet(part.states.size());
    goals.for_each([&](std::size_t s) {
      distance_[s] = 0;
      open.push_back(static_cast<Word>(s));
      is_open.set(s);
    });
  });
  const auto take = [&](Word state, Word distance) {
    if (along.test(state) && distance < distance_[state]) {
      distance_[state] = distance;
      if (is_open.insert(state)) {
        open.push_back(state);
      }
    }
  };
  const std::string reason = communicator.run(
      [&](int /*from*/, std::span<const Word> batch) {
        for (std::size_t at = 0; at < batch.size() && !communicator.is_stopped(); at += 2) {
          take(batch[at], batch[at + 1]);
        }
      },
      [&] {
        for (std::size_t i = 1; !open.empty() && !communicator.is_stopped(); ++i) {
          const Word state = open.front();
          open.pop_front();
          is_open.reset(state);
          const Word next = distance_[state] + 1;
          guard->tick(part.predecessors.count(state) + 1);
          part.predecessors.for_each(state, [&](int process, Word from) {
            if (process == communicator.rank()) {
              take(from, next);
              return;
            }
            std::vector<Word>& batch = communicator.batch(process);
            batch.push_back(from);
            batch.push_back(next);
            communicator.maybe_send(process);
          });
          if (i % kStatesBetweenLooks == 0) {
            communicator.poll();
          }
        }
      });
  if (!reason.empty()) {
    throw base::LimitReached{reason};
  }
}

base::BitSet sources_of_marked(Communicator& communicator, const LabelledPart& part,
                               const base::BitSet& inside, std::uint32_t marks) {
  base::BitSet result(part.states.size());
  bool done = false;
  const auto take = [&](Word state) {
    if (inside.test(state)) {
      result.set(state);
    }
  };
  const std::string reason = communicator.run(
      [&](int /*from*/, std::span<const Word> batch) {
        for (const Word state : batch) {
          take(state);
        }
      },
      [&] {
        if (std::exchange(done, true)) {
          return;
        }
        inside.for_each([&](std::size_t s) {
          part.predecessors.for_each_marked(static_cast<Word>(s),
                                            [&](int process, Word from, std::uint32_t satisfied) {
                                              if ((satisfied & marks) == 0) {
                                                return;
                                              }
                                              if (process == communicator.rank()) {
                                                take(from);
                                              } else {
                                                communicator.batch(process).push_back(from);
                                                communicator.maybe_send(process);
                                              }
                                            });
        });
      });
  if (!reason.empty()) {
    throw base::LimitReached{reason};
  }
  return result;
}

}  // namespace nestor::cluster
