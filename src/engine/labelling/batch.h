#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "engine/labelling/graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::labelling {

/// 64 formulas of one shape at once: bit i of a state's word is formula i.
using Words = std::vector<std::uint64_t>;

/// What up to 64 sets of states (null: all states) say of each state.
Words words_of(std::span<const base::BitSet* const> sets, std::size_t states);
/// And back: set `i` is written to `sets[i]`.
void sets_of(const Words& words, std::span<base::BitSet* const> sets);

// Each takes the operands' words and returns the formulas' words.
Words label_ex(const Graph& graph, const Words& operand, base::LimitGuard& guard);
Words label_eu(const Graph& graph, const Words& left, Words right, base::LimitGuard& guard);
Words label_eg(const Graph& graph, Words operand, base::LimitGuard& guard);

}  // namespace nestor::engine::labelling
