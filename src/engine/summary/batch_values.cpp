// The values of propositions and of Boolean combinations, for all formulas of a batch.

#include "base/debug_assert.h"
#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

template <class Word>
void BatchChecker<Word>::make_components(const Word& formulas) {
  components_ = Instances<Word>(model_);
  instance_of_.assign(model_.component_count(), 0);
  const bool all = exits_ == Exits::All;
  const std::span<const model::ComponentId> live = flow_.live_components();
  const std::vector<model::ComponentId> components =
      all ? called_components(model_) : std::vector<model::ComponentId>(live.begin(), live.end());
  for (const model::ComponentId c : components) {
    instance_of_[c.value()] = components_.add(c, 0);
    components_[instance_of_[c.value()]].formulas = formulas;
  }
  for (const model::ComponentId c : components) {
    for (const model::BoxId b : model_.component(c).boxes()) {
      if (all || flow_.is_called(b)) {
        components_.add_group(instance_of_[c.value()], b,
                              instance_of_[model_.box(b).callee.value()], formulas);
      }
    }
  }
  components_.add_root(instance_of_[model_.initial_component().value()], formulas);
}

template <class Word>
void BatchChecker<Word>::fill_atoms() {
  for (std::size_t slot = 0; slot < atoms_.size(); ++slot) {
    if (!atoms_[slot].empty()) {
      continue;
    }
    guard_.reserve(components_.plain_row_count() * sizeof(Word));
    atoms_[slot].assign(components_.plain_row_count(), Word());
    for (std::size_t member = 0; member < batch_.width; ++member) {
      const model::PropId p = batch_.props[slot][member];
      if (!p.valid()) {
        continue;
      }
      for (const model::NodeId n : model_.nodes_with(p)) {
        guard_.tick();
        if (flow_.is_live(n)) {
          const std::uint32_t i = instance_of_[model_.component_of(n).value()];
          atoms_[slot][components_.plain_row(i, n)].set(member);
        }
      }
    }
  }
}

/// The values of a Boolean combination of propositions and treated steps, by plain row, (18).
template <class Word>
std::vector<Word> BatchChecker<Word>::evaluate(std::uint32_t step, const Level& level) {
  const auto known = level.values.find(step);
  if (known != level.values.end()) {
    return known->second;
  }
  const Instances<Word>& at = *level.instances;
  const std::vector<std::uint32_t> closure = plan_.boolean_closure(step);
  assert(closure.back() == step && level.component_instance.size() == at.size());
  for (std::uint32_t k = 0; k < closure.size(); ++k) {
    place_[closure[k]] = k;
  }
  // Rows in blocks, so that the intermediate values of a large formula stay small.
  constexpr std::size_t kBlock = 64;
  std::vector<Word> block(closure.size() * kBlock);
  guard_.reserve(at.plain_row_count() * sizeof(Word));
  std::vector<Word> result(at.plain_row_count());
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    const Word formulas = at[i].formulas;
    const std::size_t first_atom = components_[level.component_instance[i]].first_plain;
    const std::size_t count = model_.component(at[i].component).plain_nodes().size();
    for (std::size_t from = 0; from < count; from += kBlock) {
      const std::size_t rows = std::min(kBlock, count - from);
      guard_.tick(rows * closure.size());
      for (std::uint32_t k = 0; k < closure.size(); ++k) {
        const Step& s = steps_[closure[k]];
        // The closure is sorted, and so operands are there, but those of existential steps.
        assert(s.op != logic::Op::Not || place_[s.left] < k);
        assert(s.op != logic::Op::Or || (place_[s.left] < k && place_[s.right] < k));
        Word* to = block.data() + k * kBlock;
        const Word* left =
            block.data() + place_[logic::operand_count(s.op) >= 1 ? s.left : 0] * kBlock;
        const Word* right =
            block.data() + place_[logic::operand_count(s.op) == 2 ? s.right : 0] * kBlock;
        const auto for_each_row = [&](auto value) {
          for (std::size_t r = 0; r < rows; ++r) {
            to[r] = value(r);
          }
        };
        switch (s.op) {
          case logic::Op::True:
            for_each_row([&](std::size_t) { return formulas; });
            break;
          case logic::Op::Atom: {
            const Word* atoms = atoms_[s.slot].data() + first_atom + from;
            for_each_row([&](std::size_t r) { return atoms[r] & formulas; });
            break;
          }
          case logic::Op::Not:
            for_each_row([&](std::size_t r) { return without(formulas, left[r]); });
            break;
          case logic::Op::Or:
            for_each_row([&](std::size_t r) { return left[r] | right[r]; });
            break;
          default: {
            const Word* values = level.values.at(closure[k]).data() + at[i].first_plain + from;
            for_each_row([&](std::size_t r) { return values[r]; });
          }
        }
      }
      const Word* last = block.data() + (closure.size() - 1) * kBlock;
      NESTOR_DEBUG_ASSERT(std::all_of(last, last + rows, [&](const Word& value) {  // (18)
        return !without(value, formulas).any();
      }));
      std::copy(last, last + rows,
                result.begin() + static_cast<std::ptrdiff_t>(at[i].first_plain + from));
    }
  }
  return result;
}

template void BatchChecker<FewBits>::make_components(const FewBits&);
template void BatchChecker<FewBits>::fill_atoms();
template std::vector<FewBits> BatchChecker<FewBits>::evaluate(std::uint32_t, const Level&);
template void BatchChecker<WordBits>::make_components(const WordBits&);
template void BatchChecker<WordBits>::fill_atoms();
template std::vector<WordBits> BatchChecker<WordBits>::evaluate(std::uint32_t, const Level&);
template void BatchChecker<WideBits>::make_components(const WideBits&);
template void BatchChecker<WideBits>::fill_atoms();
template std::vector<WideBits> BatchChecker<WideBits>::evaluate(std::uint32_t, const Level&);

}  // namespace nestor::engine::summary
