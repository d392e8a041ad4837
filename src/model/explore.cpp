#include "model/explore.h"

#include "model/finite_rsm.h"
#include "model/placement.h"
#include "model/state_names.h"
#include "model/state_store.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace nestor::model {

namespace {

constexpr std::size_t kStatesBetweenReports = 1024;
constexpr std::size_t kMostTransitions = std::numeric_limits<std::uint32_t>::max();

using Rows = base::CompressedRows<NodeId, NodeId>;

/// The states on the way that breadth-first search took to `n`: a state's parent is the first one
/// that leads to it. Found anew from the rows, since it is needed hardly ever.
std::vector<NodeId> path_in(const Rows& rows, NodeId n) {
  std::vector<NodeId> parent(n.value() + 1);
  for (std::size_t i = 0; i < rows.row_count(); ++i) {
    for (const NodeId m : rows[NodeId(i)]) {
      if (m <= n && !parent[m.value()].valid() && m.value() > i) {
        parent[m.value()] = NodeId(i);
      }
    }
  }
  std::vector<NodeId> path;
  for (; n.valid(); n = parent[n.value()]) {
    path.push_back(n);
  }
  return {path.rbegin(), path.rend()};
}

/// What make_finite_rsm() adds: a component and flags for each state.
std::size_t bytes_of_machine(const FiniteParts& parts) {
  return parts.successors.row_count() * (sizeof(ComponentId) + sizeof(std::uint8_t));
}

}  // namespace

class Exploration::Explorer {
 public:
  explicit Explorer(std::shared_ptr<SuccessorFunction> model)
      : model_(std::move(model)),
        fairness_{model_->mark_count(), {}},
        store_(std::make_shared<StateStore>(*model_,
                                            [this](NodeId n) { return path_in(rows_, n); })) {}

  void go_on(const ExploreOptions& options) {
    base::LimitGuard guard(options.limits);
    try {
      if (initial_.empty()) {
        initial_ = store_->initial(options.limits, guard);
      }
      if (initial_.empty()) {
        throw base::Error(base::Error::Kind::Input, "the model has no initial state");
      }
      expand_all(options, guard);
    } catch (const base::LimitReached&) {
      report_sizes(options);
      throw;
    }
    report_sizes(options);
  }

  Rsm finish(std::span<const std::string> propositions, const ExploreOptions& options) {
    NESTOR_CHECK(rows_.row_count() == store_->size());
    base::LimitGuard guard(options.limits);
    store_->drop_index();
    FiniteParts parts;
    parts.initial = initial_;
    place(propositions, parts, guard);
    parts.successors = std::move(rows_);
    guard.reserve(bytes_of_machine(parts));
    parts.names = std::make_shared<StateNames>(model_, store_);
    Rsm machine = make_finite_rsm(std::move(parts));
    if (options.fairness != nullptr) {
      *options.fairness = std::move(fairness_);
    }
    return machine;
  }

 private:
  void expand_all(const ExploreOptions& options, base::LimitGuard& guard) {
    for (std::size_t i = rows_.row_count(); i < store_->size(); ++i) {
      const NodeId n(i);
      const std::span<const NodeId> next = store_->expand(n, options.limits, guard);
      if (next.empty() &&
          (options.dead_ends == DeadEnds::Loop || options.dead_ends == DeadEnds::Error)) {
        end_dead(n, options);
      } else {
        if (fairness_.constraints > 0) {
          fairness_.marks.insert(fairness_.marks.end(), store_->marks().begin(),
                                 store_->marks().end());
        }
        rows_.append_row(next);
      }
      if (rows_.item_count() + store_->size() > kMostTransitions) {
        throw base::LimitReached{fmt::format("more than {} transitions", kMostTransitions)};
      }
      if (options.progress && i % kStatesBetweenReports == 0) {
        options.progress(store_->size(), i);
      }
    }
  }

  void end_dead(NodeId n, const ExploreOptions& options) {
    if (options.dead_ends == DeadEnds::Error) {
      throw base::Error(base::Error::Kind::Input,
                        fmt::format("'{}' has no successors", model_->describe((*store_)[n])));
    }
    if (fairness_.constraints > 0) {
      fairness_.marks.push_back(0);  // a loop that the model does not have is not fair
    }
    rows_.append_row(std::span(&n, 1));
  }

  void place(std::span<const std::string> propositions, FiniteParts& parts,
             base::LimitGuard& guard) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : propositions) {
      if (const auto number = model_->find_proposition(name).number) {
        numbers.push_back(*number);
        parts.propositions.push_back(name);
      }
    }
    parts.nodes_with = place_propositions(*store_, numbers, guard);
  }

  void report_sizes(const ExploreOptions& options) const {
    if (options.sizes != nullptr) {
      *options.sizes = {store_->size(), rows_.item_count(), model_->state_bits(),
                        store_->memory_bytes()};
    }
  }

  std::shared_ptr<SuccessorFunction> model_;
  Fairness fairness_;
  std::vector<NodeId> initial_;
  Rows rows_;  // of the states that are expanded
  std::shared_ptr<StateStore> store_;
};

Exploration::Exploration(std::shared_ptr<SuccessorFunction> model)
    : explorer_(std::make_unique<Explorer>(std::move(model))) {}

Exploration::Exploration(Exploration&&) noexcept = default;
Exploration& Exploration::operator=(Exploration&&) noexcept = default;
Exploration::~Exploration() = default;

void Exploration::go_on(const ExploreOptions& options) {
  explorer_->go_on(options);
}

Rsm Exploration::finish(std::span<const std::string> propositions, const ExploreOptions& options) {
  return explorer_->finish(propositions, options);
}

Rsm explore(const std::shared_ptr<SuccessorFunction>& model,
            std::span<const std::string> propositions, const ExploreOptions& options) {
  Exploration exploration(model);
  exploration.go_on(options);
  return exploration.finish(propositions, options);
}

void label_explored(Rsm& machine, SuccessorFunction& model,
                    std::span<const std::string> propositions, const base::Limits& limits) {
  const auto* names = dynamic_cast<const StateNames*>(machine.made_names());
  NESTOR_CHECK(names != nullptr);
  base::LimitGuard guard(limits);
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> added;
  for (const std::string& name : propositions) {
    const auto number = model.find_proposition(name).number;
    if (number && !machine.find_prop(name).valid()) {
      numbers.push_back(*number);
      added.push_back(name);
    }
  }
  if (!added.empty()) {
    add_propositions(machine, added, place_propositions(names->store(), numbers, guard));
  }
}

}  // namespace nestor::model
