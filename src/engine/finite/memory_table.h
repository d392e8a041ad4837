#pragma once

#include "base/statistics.h"

#include <cstdint>
#include <string_view>

namespace nestor::engine::finite {

/// What an algorithm needs in the worst case, in bits, by the tables of [Hel97] section 4.5:
/// "Search memory" and "Successor and predecessor memory". The states themselves are not counted.
struct MemoryBits {
  std::uint64_t bitmaps = 0;        ///< values of subformulas, marks
  std::uint64_t dfs_numbers = 0;    ///< depth-first search numbers
  std::uint64_t search_stacks = 0;  ///< of states
  std::uint64_t relations = 0;      ///< successors, predecessors if they are needed

  std::uint64_t total() const { return bitmaps + dfs_numbers + search_stacks + relations; }
};

struct ProblemSize {
  std::uint64_t states = 0;       ///< |S|
  std::uint64_t transitions = 0;  ///< |R|
  std::uint64_t length = 0;       ///< |F|: subformulas
};

/// `engine`: naive, emc, almc or dfs.
MemoryBits memory_bits(std::string_view engine, const ProblemSize& size);

/// Adds the rows, those of the largest formula where there are several.
void report_memory(base::Statistics& statistics, const MemoryBits& bits, const ProblemSize& size);

}  // namespace nestor::engine::finite
