#include "cluster/edges.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace nestor::cluster {

namespace {
constexpr std::size_t kMostEdges = std::numeric_limits<Word>::max();
constexpr std::size_t kFewProcesses = 256;
}  // namespace

Predecessors::Predecessors(std::vector<EdgeStream> streams, std::size_t states, bool marked,
                           base::LimitGuard& guard) {
  std::size_t total = 0;
  for (const EdgeStream& stream : streams) {
    total += stream.size();
  }
  if (total > kMostEdges) {
    throw base::LimitReached{fmt::format("more than {} transitions in one process", kMostEdges)};
  }
  guard.reserve(total * (sizeof(Word) + 1) + states * sizeof(Word));
  begin_.assign(states + 2, 0);
  for (const EdgeStream& stream : streams) {
    stream.for_each([&](const Edge& edge) { ++begin_[edge.to + 2]; });
    guard.tick(stream.size());
  }
  for (std::size_t s = 2; s < begin_.size(); ++s) {
    begin_[s] += begin_[s - 1];
  }
  from_.resize(total);
  low_.resize(total);
  high_.resize(streams.size() > kFewProcesses ? total : 0);
  marks_.resize(marked ? total : 0);
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const std::size_t size = streams[r].size();
    streams[r].consume([&](const Edge& edge) {
      const std::size_t e = begin_[edge.to + 1]++;
      from_[e] = edge.from;
      low_[e] = static_cast<std::uint8_t>(r);
      if (!high_.empty()) {
        high_[e] = static_cast<std::uint8_t>(r >> 8);
      }
      if (marked) {
        marks_[e] = edge.marks;
      }
    });
    guard.tick(size);
  }
  begin_.pop_back();
}

}  // namespace nestor::cluster
