#include "model/state.h"

#include <algorithm>

namespace nestor::model {

std::vector<BoxId> StackTable::boxes(StackId stack, std::uint32_t depth) const {
  std::vector<BoxId> found;
  for (; this->depth(stack) > depth; stack = below(stack)) {
    found.push_back(top(stack));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<Move> moves(const Rsm& model, StackTable& stacks, const State& from) {
  std::vector<Move> found;
  for_each_move(model, stacks, from, [&](const Move& move) { found.push_back(move); });
  return found;
}

}  // namespace nestor::model
