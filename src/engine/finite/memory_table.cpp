#include "engine/finite/memory_table.h"

#include <bit>
#include <cassert>

namespace nestor::engine::finite {

namespace {

/// ⌈log₂ n⌉: the bits that numbers below n need.
std::uint64_t log_of(std::uint64_t n) {
  return n <= 1 ? 0 : static_cast<std::uint64_t>(std::bit_width(n - 1));
}

}  // namespace

MemoryBits memory_bits(std::string_view engine, const ProblemSize& size) {
  const std::uint64_t s = size.states;
  const std::uint64_t f = size.length;
  const std::uint64_t numbers = s * log_of(s);
  const std::uint64_t adjacency = size.transitions * log_of(s) + s * log_of(size.transitions);
  if (engine == "naive") {
    return {s * f, 0, 0, adjacency};
  }
  if (engine == "emc") {  // one bitmap more: marked; predecessors too
    return {s * (f + 1), 0, numbers, 2 * adjacency};
  }
  if (engine == "almc") {  // unknown, marked, true, false: two bits; a search for each subformula
    return {s * f * 2, numbers, numbers * f, adjacency};
  }
  assert(engine == "dfs");  // two bitmaps more: marked, modified; two stacks: st, fst
  return {s * (f + 2), numbers, 2 * numbers, adjacency};
}

void report_memory(base::Statistics& statistics, const MemoryBits& bits, const ProblemSize& size) {
  statistics.raise("finite.length", size.length);
  statistics.raise("finite.bits.bitmaps", bits.bitmaps);
  statistics.raise("finite.bits.dfs_numbers", bits.dfs_numbers);
  statistics.raise("finite.bits.search_stacks", bits.search_stacks);
  statistics.raise("finite.bits.relations", bits.relations);
  if (size.states > 0) {
    statistics.raise("finite.bits.per_state", bits.total() / size.states);
  }
}

}  // namespace nestor::engine::finite
