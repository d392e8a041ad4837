#include "cluster/evidence.h"
#include "model/finite_rsm.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace nestor::cluster {

namespace {

constexpr std::size_t kMostNodes = 200'000;

}  // namespace

/// Names of states that other processes may have: made of their portable forms.
class Excerpt::Names final : public model::NodeNames {
 public:
  Names(model::SuccessorFunction& model, LocalStates& states, std::vector<std::vector<Word>> forms)
      : model_(model), states_(states), forms_(std::move(forms)) {}

  std::optional<std::string> part(model::NodeId n, std::string_view part) const override {
    return model_.describe_part(state(n), part);
  }
  std::optional<model::StepName> step(model::NodeId from, model::NodeId to) const override {
    const auto [before, after] = both(from, to);
    return model_.find_step(before, after);
  }
  std::string change(model::NodeId from, model::NodeId to) const override {
    const auto [before, after] = both(from, to);
    return model_.describe_change(before, after);
  }

 private:
  std::string make_name(model::NodeId n) const override { return model_.describe(state(n)); }
  std::vector<Word> state(model::NodeId n) const {
    base::LimitGuard guard({});
    const base::StateView view = states_.decode(forms_[n.value()], guard);
    return {view.begin(), view.end()};
  }
  /// The second one may make the states wider, so the first one is made again.
  std::pair<std::vector<Word>, std::vector<Word>> both(model::NodeId a, model::NodeId b) const {
    state(a);
    std::vector<Word> second = state(b);
    return {state(a), std::move(second)};
  }

  model::SuccessorFunction& model_;
  LocalStates& states_;
  std::vector<std::vector<Word>> forms_;
};

Excerpt::Excerpt(Communicator& communicator, const LabelledPart& part, const Labelling& labelling,
                 logic::FormulaPool& pool, logic::FormulaId formula, model::DeadEnds dead_ends,
                 const base::Limits& limits)
    : communicator_(communicator),
      part_(part),
      labelling_(labelling),
      subformulas_(logic::subformulas(pool, formula)),
      dead_ends_(dead_ends),
      guard_({.megabytes = limits.megabytes}),
      owners_(communicator.size()) {
  // In the order in which the model gives them, as in one process.
  std::vector<std::vector<Word>> forms;
  SuccessorList list;
  communicator_.within_limits([&] { part_.states.initial(list, guard_); });
  for (const SuccessorList::Item& item : list.items()) {
    const Portable form = list.portable(item);
    forms.emplace_back(form.begin(), form.end());
  }
  initial_ = find(forms);
}

std::vector<std::size_t> Excerpt::find(const std::vector<std::vector<Word>>& forms) {
  // What this process owns of those that are new: place, number, whether it counts, values.
  std::vector<Word> answers;
  const std::size_t words = (subformulas_.size() + 31) / 32;
  communicator_.within_limits([&] {
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (owners_.of(forms[i]) != communicator_.rank() || by_form_.contains(forms[i])) {
        continue;
      }
      const Word number = part_.states.find(forms[i], guard_);
      NESTOR_CHECK(number != LocalStates::kAbsent);
      answers.push_back(static_cast<Word>(i));
      answers.push_back(number);
      answers.push_back(!labelling_.is_fair() || labelling_.fair().test(number) ? 1 : 0);
      const std::size_t first = answers.size();
      answers.resize(first + words, 0);
      for (std::size_t f = 0; f < subformulas_.size(); ++f) {
        if (labelling_.values(subformulas_[f]).test(number)) {
          answers[first + f / 32] |= Word{1} << (f % 32);
        }
      }
    }
  });
  const std::vector<std::vector<Word>> all = communicator_.gather(answers);
  std::map<std::size_t, Node> made;  // by place, so that the order is the same everywhere
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t at = 0; at < all[r].size(); at += 3 + words) {
      Node node;
      node.state = {static_cast<Word>(r), all[r][at + 1]};
      node.counts = all[r][at + 2] != 0;
      for (std::size_t f = 0; f < subformulas_.size(); ++f) {
        node.values.push_back((all[r][at + 3 + f / 32] >> (f % 32) & 1) != 0);
      }
      node.portable = forms[all[r][at]];
      made.emplace(all[r][at], std::move(node));
    }
  }
  for (auto& [place, node] : made) {
    if (by_form_.try_emplace(node.portable, nodes_.size()).second) {
      nodes_.push_back(std::move(node));
    }
  }
  if (nodes_.size() > kMostNodes) {
    throw base::LimitReached{"the evidence speaks of too many states"};
  }
  std::vector<std::size_t> found;
  for (const std::vector<Word>& form : forms) {
    found.push_back(by_form_.at(form));
  }
  return found;
}

void Excerpt::complete(std::span<const std::size_t> nodes) {
  std::vector<std::size_t> open;
  for (const std::size_t n : nodes) {
    if (!nodes_[n].is_whole) {
      nodes_[n].is_whole = true;
      open.push_back(n);
    }
  }
  if (open.empty()) {
    return;
  }
  // Of each state of this process: its place, how many successors, of each marks, length and words.
  std::vector<Word> answers;
  communicator_.within_limits([&] {
    SuccessorList list;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Node& node = nodes_[open[i]];
      if (static_cast<int>(node.state.process) != communicator_.rank()) {
        continue;
      }
      part_.states.expand(node.state.number, list, guard_);
      answers.push_back(static_cast<Word>(i));
      const bool loops = list.items().empty() && dead_ends_ == model::DeadEnds::Loop;
      answers.push_back(loops ? 1 : static_cast<Word>(list.items().size()));
      if (loops) {
        answers.push_back(0);
        answers.push_back(static_cast<Word>(node.portable.size()));
        answers.insert(answers.end(), node.portable.begin(), node.portable.end());
      }
      for (const SuccessorList::Item& item : list.items()) {
        const Portable form = list.portable(item);
        answers.push_back(item.marks);
        answers.push_back(static_cast<Word>(form.size()));
        answers.insert(answers.end(), form.begin(), form.end());
      }
    }
  });
  std::vector<std::vector<Word>> forms;
  struct Step {
    std::size_t from;
    std::uint32_t marks;
  };
  std::vector<Step> steps;
  for (const std::vector<Word>& own : communicator_.gather(answers)) {
    for (std::size_t at = 0; at < own.size();) {
      const std::size_t from = open[own[at++]];
      for (Word left = own[at++]; left > 0; --left) {
        steps.push_back({from, own[at]});
        const std::size_t size = own[at + 1];
        const auto begin = own.begin() + static_cast<std::ptrdiff_t>(at + 2);
        forms.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
        at += 2 + size;
      }
    }
  }
  const std::vector<std::size_t> targets = find(forms);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    nodes_[steps[i].from].successors.push_back(targets[i]);
    nodes_[steps[i].from].marks.push_back(steps[i].marks);
  }
}

void Excerpt::complete_around(std::vector<std::size_t> nodes, std::size_t steps) {
  for (; steps > 0; --steps) {
    complete(nodes);
    std::vector<std::size_t> next;
    for (const std::size_t n : nodes) {
      next.insert(next.end(), nodes_[n].successors.begin(), nodes_[n].successors.end());
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    nodes = std::move(next);
  }
}

model::Rsm Excerpt::machine(std::span<const std::string> propositions, model::Fairness& fairness) {
  model::FiniteParts parts;
  std::vector<std::vector<Word>> forms;
  model::SuccessorFunction& model = part_.states.model();
  fairness = {model.mark_count(), {}};
  for (const Node& node : nodes_) {
    std::vector<std::pair<model::NodeId, std::uint32_t>> row;
    for (std::size_t i = 0; i < node.successors.size(); ++i) {
      row.emplace_back(node.successors[i], node.marks[i]);
    }
    std::ranges::sort(row);
    std::vector<model::NodeId> targets;
    for (const auto& [to, marks] : row) {
      targets.push_back(to);
      if (fairness.constraints > 0) {
        fairness.marks.push_back(marks);
      }
    }
    parts.successors.append_row(targets);
    forms.push_back(node.portable);
  }
  for (const std::size_t n : initial_) {
    parts.initial.emplace_back(n);
  }
  std::ranges::sort(parts.initial);
  for (const std::string& name : propositions) {
    const auto number = model.find_proposition(name).number;
    if (!number) {
      continue;
    }
    std::vector<model::NodeId> row;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (model.holds(*number, part_.states.decode(nodes_[n].portable, guard_))) {
        row.emplace_back(n);
      }
    }
    parts.propositions.push_back(name);
    parts.nodes_with.append_row(row);
  }
  parts.names = std::make_shared<Names>(model, part_.states, std::move(forms));
  return model::make_finite_rsm(std::move(parts));
}

std::vector<base::BitSet> Excerpt::values() const {
  std::vector<base::BitSet> values(subformulas_.size(), base::BitSet(nodes_.size()));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (std::size_t f = 0; f < subformulas_.size(); ++f) {
      if (nodes_[n].values[f]) {
        values[f].set(n);
      }
    }
  }
  return values;
}

}  // namespace nestor::cluster
