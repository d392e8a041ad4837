// From [DWF24]'s contexts to those of a labelling. γ gives an exit's value, a labelling's context
// says what comes after the return: E φ U ψ is true at an exit with ψ whatever follows, so one
// instance of the machine may be called in several contexts of the labelling. They differ in
// nothing that a node shows. What a box hands on is read off the values around its return nodes,
// so it depends on the machine's instance alone.

#include "engine/strategies/read_labelling.h"

#include "base/error.h"

#include <algorithm>
#include <map>

namespace nestor::engine::strategies {

namespace {

class Reader {
 public:
  Reader(const ContextMachine& machine, base::LimitGuard& guard)
      : machine_(machine), model_(machine.model()), table_(machine.table()), guard_(guard) {}

  explain::Labelling run() {
    for (const SubId f : table_.ids()) {
      labelling_.subformulas.push_back(table_[f].formula);
    }
    find_or_make({machine_.root(), root_context()});
    for (std::uint32_t i = 0; i < made_.size(); ++i) {
      const InstanceId from = made_[i]->first.instance;
      for (const model::BoxId b : model_.component(machine_.instance(from).base).boxes()) {
        const InstanceId callee = machine_.callee_of({from, b});
        const std::uint32_t j = find_or_make({callee, handed_on(from, b)});
        labelling_.callees[labelling_.box_row(model_, i, b)] = j;
      }
    }
    fill();
    return std::move(labelling_);
  }

 private:
  /// An instance of the machine and its context: a bit for each existential subformula and exit.
  struct Key {
    InstanceId instance;
    base::BitSet context;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Known = std::map<Key, std::uint32_t>;

  bool value(State s, SubId f) const {
    const Ternary value = machine_.value(s, f);
    NESTOR_CHECK(known(value));
    return value == Ternary::True;
  }

  template <class InContext>
  base::BitSet context_of(model::ComponentId c, InContext in_context) const {
    const std::size_t exits = model_.exits(c).size();
    const std::vector<SubId>& existential = table_.existential();
    base::BitSet context(existential.size() * exits);
    guard_.tick(context.size() / 64 + 1);
    for (std::size_t k = 0; k < existential.size(); ++k) {
      for (std::size_t x = 0; x < exits; ++x) {
        if (in_context(existential[k], x)) {
          context.set(k * exits + x);
        }
      }
    }
    return context;
  }

  base::BitSet root_context() const {
    const model::ComponentId c = model_.initial_component();
    return context_of(c, [&](SubId f, std::size_t x) {
      return table_[f].op == logic::Op::EG ||
             (table_[f].op == logic::Op::EX &&
              value({machine_.root(), model_.exits(c)[x]}, table_[f].left));
    });
  }

  base::BitSet handed_on(InstanceId from, model::BoxId b) const {
    const model::Box& box = model_.box(b);
    return context_of(box.callee, [&](SubId f, std::size_t x) {
      const model::NodeId r = box.first_return + x;
      const SubId asked = table_[f].op == logic::Op::EX ? table_[f].left : f;
      const std::span<const model::NodeId> successors = model_.successors(r);
      return std::any_of(successors.begin(), successors.end(),
                         [&](model::NodeId m) { return value(machine_.target(from, m), asked); }) ||
             (table_[f].op == logic::Op::EG && model_.is_dead_end(r));
    });
  }

  std::uint32_t find_or_make(Key key) {
    const auto [place, is_new] = known_.try_emplace(std::move(key), 0);
    if (is_new) {
      place->second =
          labelling_.add_instance(model_, machine_.instance(place->first.instance).base);
      made_.emplace_back(place);
    }
    return place->second;
  }

  void fill() {
    std::size_t k = 0;
    for (const SubId f : table_.ids()) {
      const bool existential = table_[f].existential.valid();
      base::BitSet& values = labelling_.values.emplace_back(labelling_.node_rows);
      base::BitSet& contexts =
          labelling_.contexts.emplace_back(existential ? labelling_.exit_rows : 0);
      for (std::uint32_t i = 0; i < made_.size(); ++i) {
        const Key& key = made_[i]->first;
        const model::ComponentId c = machine_.instance(key.instance).base;
        guard_.tick(model_.component(c).plain_nodes().size());
        for (const model::NodeId n : model_.component(c).plain_nodes()) {
          if (value({key.instance, n}, f)) {
            values.set(labelling_.node_row(model_, i, n));
          }
        }
        const std::size_t exits = model_.exits(c).size();
        for (std::size_t x = 0; existential && x < exits; ++x) {
          if (key.context.test(k * exits + x)) {
            contexts.set(labelling_.exit_row(i, x));
          }
        }
      }
      k += existential ? 1 : 0;
    }
  }

  const ContextMachine& machine_;
  const model::Rsm& model_;
  const SubformulaTable& table_;
  base::LimitGuard& guard_;
  explain::Labelling labelling_;
  Known known_;
  std::vector<Known::const_iterator> made_;  // by instance of the labelling
};

}  // namespace

explain::Labelling read_labelling(const ContextMachine& machine, base::LimitGuard& guard) {
  return Reader(machine, guard).run();
}

}  // namespace nestor::engine::strategies
