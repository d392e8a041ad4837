// What happens between two markings of a predicate/transition net: asked for a few steps that are
// shown, so it is found again and stored nowhere.

#include "net/prod_states.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::net {

/// Looks for a mode with a given effect. Numbers no tuples: whoever shows a step changes nothing.
class ProdStates::StepSearch final : public ProdBinder::Visitor {
 public:
  StepSearch(const ProdStates& states, std::vector<Change> wanted)
      : states_(states), wanted_(std::move(wanted)) {}

  bool visit(const FiringMode& mode) override {
    std::vector<Change> changes;
    for (const FiringMode::Taken& taken : mode.taken) {
      changes.push_back({taken.place, taken.tuple, -std::int64_t{taken.count}});
    }
    for (const ProdNet::Pattern& pattern :
         states_.model_->net().transitions[mode.transition].outputs) {
      const std::optional<std::int64_t> count = evaluate(pattern.count, mode.binding);
      ProdNet::Tuple tuple;
      for (const ProdExpression& field : pattern.fields) {
        tuple.push_back(evaluate(field, mode.binding).value_or(0));
      }
      const std::uint32_t number = states_.tuples_[pattern.place].find(tuple);
      if (!count || (*count > 0 && number == TupleTable::kAbsent)) {
        return true;
      }
      changes.push_back({pattern.place, number, *count});
    }
    sum_up(changes);
    if (changes != wanted_) {
      return true;
    }
    found_ = states_.model_->names().step_name(mode.transition, mode.binding);
    return false;
  }
  void tick() override {}

  std::optional<model::StepName> take() { return std::move(found_); }

 private:
  const ProdStates& states_;
  std::vector<Change> wanted_;
  std::optional<model::StepName> found_;
};

std::vector<ProdStates::Change> ProdStates::difference(base::StateView from,
                                                       base::StateView to) const {
  std::vector<Change> changes;
  Tokens tokens;
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    for (const bool before : {true, false}) {
      now_.layout.read(before ? from : to, p, tokens);
      for (const TupleCount& token : tokens) {
        changes.push_back({p, token.tuple, before ? -std::int64_t{token.count} : token.count});
      }
    }
  }
  sum_up(changes);
  return changes;
}

std::optional<model::StepName> ProdStates::find_step(base::StateView from,
                                                     base::StateView to) const {
  ProdBinder binder(*model_, tuples_);
  OpenMarking marking(tuples_.size());
  marking.open(now_.layout, from);
  StepSearch search(*this, difference(from, to));
  for (std::size_t t = 0; t < model_->transitions().size(); ++t) {
    if (!binder.bind(t, marking, search)) {
      break;
    }
  }
  return search.take();
}

std::string ProdStates::describe_change(base::StateView from, base::StateView to) const {
  std::vector<Change> changes = difference(from, to);
  // What goes, then what comes; in the order of the tuples.
  std::ranges::sort(changes, [&](const Change& a, const Change& b) {
    if ((a.count < 0) != (b.count < 0)) {
      return a.count < 0;
    }
    if (a.place != b.place) {
      return a.place < b.place;
    }
    const TupleTable& table = tuples_[a.place];
    return std::ranges::lexicographical_compare(table[a.tuple], table[b.tuple]);
  });
  std::string text;
  for (const Change& change : changes) {
    const std::int64_t size = change.count < 0 ? -change.count : change.count;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", change.count < 0 ? '-' : '+',
                        model_->names().text(change.place, tuples_[change.place][change.tuple]));
    text += size == 1 ? std::string() : fmt::format(": {}", size);
  }
  return text;
}

}  // namespace nestor::net
