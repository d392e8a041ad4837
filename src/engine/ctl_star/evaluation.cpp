// CTL* by labelling with path formulas, the innermost first, after
//   [EL87]   E. A. Emerson, C.-L. Lei: Modalities for model checking: branching time logic strikes
//            back. Science of Computer Programming 8, 1987.
//   [EHRS00] J. Esparza, D. Hansel, P. Rossmanith, S. Schwoon: Efficient algorithms for model
//            checking pushdown systems. CAV 2000: heads of accepting loops.
//   [ABE05]  R. Alur et al.: Analysis of recursive state machines. TOPLAS 27(4), 2005: summaries.
// docs/ltl.md has the equations.

#include "engine/ctl_star/evaluation.h"

#include "engine/ctl_star/accepting_search.h"
#include "engine/ctl_star/lasso.h"
#include "explain/stack_instances.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace nestor::engine::ctl_star {

namespace {

using logic::FormulaId;
using logic::Op;
using Context = std::vector<Product::Word>;  // by exit and automaton state

/// The formulas that stand within a quantifier of `root`, operands first: quantified ones, and
/// atoms.
std::vector<FormulaId> inner_formulas(const logic::FormulaPool& pool, FormulaId root) {
  const std::vector<FormulaId> all = logic::subformulas(pool, root);
  std::set<FormulaId> inside;
  for (std::size_t i = all.size(); i-- > 0;) {
    const logic::Formula& formula = pool[all[i]];
    const bool is_inside = inside.contains(all[i]) || logic::is_quantified(formula.op);
    for (int o = 0; o < logic::operand_count(formula.op) && is_inside; ++o) {
      inside.insert(o == 0 ? formula.left : formula.right);
    }
  }
  std::vector<FormulaId> result;
  for (const FormulaId f : all) {
    if (inside.contains(f) && logic::is_quantified(pool[f].op)) {
      result.push_back(f);
    }
  }
  return result;
}

bool meets(std::span<const Product::Word> a, const Context& b) {
  for (std::size_t w = 0; w < a.size(); ++w) {
    if ((a[w] & b[w]) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

Evaluation::Evaluation(const model::Rsm& model, logic::FormulaPool& pool,
                       const model::Fairness* fairness, base::LimitGuard& guard)
    : model_(model),
      pool_(pool),
      fairness_(fairness != nullptr && fairness->constraints > 0 ? fairness : nullptr),
      guard_(guard) {
  // The empty stack, and one instance for each component that is called from there.
  guard.reserve(model.box_count() * sizeof(std::uint32_t));
  instances_.add_instance(model, model.initial_component());
  std::map<model::ComponentId, std::uint32_t> called;
  for (std::uint32_t i = 0; i < instances_.instances.size(); ++i) {
    for (const model::BoxId b : model.component(instances_.instances[i].component).boxes()) {
      const model::ComponentId callee = model.box(b).callee;
      auto place = called.find(callee);
      if (place == called.end()) {
        place = called.emplace(callee, instances_.add_instance(model, callee)).first;
      }
      instances_.callees[instances_.box_row(model, i, b)] = place->second;
    }
  }
}

automata::Automaton Evaluation::automaton_of(const logic::Quantified& quantified) {
  automata::Automaton automaton =
      automata::make_automaton(pool_, quantified.path, quantified.universal, guard_);
  return model_.box_count() == 0 ? automaton : automata::with_one_set(automaton);
}

/// By plain row: the values of a formula whose quantified subformulas have theirs.
base::BitSet Evaluation::propositional(FormulaId root) const {
  std::map<FormulaId, base::BitSet> made;
  std::vector<FormulaId> open{root};
  while (!open.empty()) {
    const FormulaId f = open.back();
    const logic::Formula& formula = pool_[f];
    if (made.contains(f)) {
      open.pop_back();
      continue;
    }
    if (logic::is_quantified(formula.op)) {
      made.emplace(f, values_.at(f));
      continue;
    }
    const int operands = logic::operand_count(formula.op);
    if (operands >= 1 && !made.contains(formula.left)) {
      open.push_back(formula.left);
      continue;
    }
    if (operands == 2 && !made.contains(formula.right)) {
      open.push_back(formula.right);
      continue;
    }
    guard_.tick(instances_.node_rows / 64 + 1);
    base::BitSet set(instances_.node_rows);
    switch (formula.op) {
      case Op::True:
        set.set_all();
        break;
      case Op::False:
        break;
      case Op::Atom:
        if (const model::PropId p = model_.find_prop(pool_.atom_name(f)); p.valid()) {
          const std::span<const model::NodeId> nodes = model_.nodes_with(p);
          for (std::uint32_t i = 0; i < instances_.instances.size(); ++i) {
            const model::Component& c = model_.component(instances_.instances[i].component);
            for (auto n = std::ranges::lower_bound(nodes, c.first_node);
                 n != nodes.end() && *n < c.plain_end; ++n) {
              set.set(instances_.node_row(model_, i, *n));
            }
          }
        }
        break;
      default: {
        base::BitSet left = made.at(formula.left);
        if (operands == 2) {
          const base::BitSet& right = made.at(formula.right);
          if (formula.op == Op::Implies) {
            left.flip_all();
          }
          for (std::size_t w = 0; w < left.words().size(); ++w) {
            const std::uint64_t a = left.words()[w];
            const std::uint64_t b = right.words()[w];
            left.set_word(w, formula.op == Op::And   ? a & b
                             : formula.op == Op::Xor ? a ^ b
                             : formula.op == Op::Iff ? ~(a ^ b)
                                                     : a | b);
          }
        } else {
          left.flip_all();
        }
        set = std::move(left);
      }
    }
    made.emplace(f, std::move(set));
  }
  return std::move(made.at(root));
}

Letters Evaluation::letters(const automata::Automaton& automaton) const {
  guard_.reserve(instances_.node_rows * (sizeof(std::uint64_t) + sizeof(std::uint32_t)));
  std::vector<std::uint64_t> masks(instances_.node_rows, 0);
  for (std::size_t l = 0; l < automaton.letters.size(); ++l) {
    propositional(automaton.letters[l]).for_each([&](std::size_t row) {
      masks[row] |= std::uint64_t{1} << l;
    });
  }
  Letters letters;
  letters.class_of.resize(masks.size());
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  for (std::size_t row = 0; row < masks.size(); ++row) {
    const auto [place, is_new] =
        numbers.try_emplace(masks[row], static_cast<std::uint32_t>(letters.classes.size()));
    if (is_new) {
      letters.classes.push_back(masks[row]);
    }
    letters.class_of[row] = place->second;
  }
  return letters;
}

void Evaluation::label_inner(FormulaId formula) {
  const std::vector<FormulaId> inner = inner_formulas(pool_, formula);
  // Values are copied with each split, so they are kept only as long as something reads them. The
  // formula's own operators do at the end.
  constexpr std::size_t kAtTheEnd = SIZE_MAX;
  std::map<FormulaId, std::size_t> last_reader;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    for (const FormulaId f : logic::quantified_below(pool_, inner[i])) {
      last_reader[f] = i;
    }
  }
  std::vector<FormulaId> read_at_the_end{formula};
  if (!logic::is_quantified(pool_[formula].op)) {
    read_at_the_end = outermost(formula);
  }
  for (const FormulaId outer : read_at_the_end) {
    last_reader[outer] = kAtTheEnd;
    for (const FormulaId f : logic::quantified_below(pool_, outer)) {
      last_reader[f] = kAtTheEnd;
    }
  }
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const FormulaId f = inner[i];
    if (values_.contains(f)) {
      continue;
    }
    const logic::Quantified quantified = logic::quantified_path(pool_, f);
    const automata::Automaton automaton = automaton_of(quantified);
    const Letters letters_read = letters(automaton);
    const explain::InstanceGraph graph(model_, instances_);
    const Product product(graph, automaton, letters_read, fairness_, guard_);
    AcceptingSearch search(product, guard_);
    search.search_all();
    for (const FormulaId read : logic::quantified_below(pool_, f)) {
      if (last_reader.at(read) == i) {
        values_.erase(read);
      }
    }
    split(f, quantified.universal, product, search);
  }
}

/// Gives each instance a copy for each context that it is called in, and each its value.
void Evaluation::split(FormulaId formula, bool universal, const Product& product,
                       const AcceptingSearch& search) {
  const explain::InstanceGraph& graph = product.graph();
  std::vector<Context> visible;  // by old instance: what being in the context may matter
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    Context all((product.exit_bits(i) + 63) / 64, 0);
    const Product::Vertex first = product.vertex(i, graph.component(i).first_node, 0);
    const std::size_t count = graph.component(i).nodes().size() * product.states();
    for (std::size_t v = 0; v < count; ++v) {
      const std::span<const Product::Word> exits =
          product.exits(static_cast<Product::Vertex>(first + v));
      for (std::size_t w = 0; w < exits.size(); ++w) {
        all[w] |= exits[w];
      }
    }
    visible.push_back(std::move(all));
  }
  explain::Labelling next;
  std::vector<std::pair<std::uint32_t, Context>> made{{explain::Labelling::kRoot, Context()}};
  std::map<std::pair<std::uint32_t, Context>, std::uint32_t> numbers;
  made[0].second.resize(visible[0].size());
  next.add_instance(model_, model_.initial_component());
  for (std::uint32_t i = 0; i < made.size(); ++i) {
    const auto [old, context] = made[i];
    const auto is_good = [&, o = old, &c = context](model::NodeId n, std::uint32_t q) {
      const Product::Vertex v = product.vertex(o, n, q);
      return search.is_good(v) || meets(product.exits(v), c);
    };
    for (const model::BoxId b : graph.component(old).boxes()) {
      const model::Box& box = model_.box(b);
      const std::uint32_t callee = graph.callee(old, b);
      Context inner(visible[callee].size(), 0);
      for (std::uint32_t bit = 0; bit < product.exit_bits(callee); ++bit) {
        guard_.tick();
        const model::NodeId back = box.first_return + bit / product.states();
        if (((visible[callee][bit / 64] >> (bit % 64)) & 1) != 0 &&
            is_good(back, bit % product.states())) {
          inner[bit / 64] |= Product::Word{1} << (bit % 64);
        }
      }
      const auto [place, is_new] =
          numbers.try_emplace({callee, std::move(inner)}, static_cast<std::uint32_t>(made.size()));
      if (is_new) {
        guard_.reserve(box.node_end.value() / 8);
        made.emplace_back(place->first);
        next.add_instance(model_, box.callee);
      }
      next.callees[next.box_row(model_, i, b)] = place->second;
    }
  }
  std::map<FormulaId, base::BitSet> values;
  for (const auto& [f, old_values] : values_) {
    base::BitSet& set = values.emplace(f, base::BitSet(next.node_rows)).first->second;
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      for (const model::NodeId n : graph.component(made[i].first).plain_nodes()) {
        guard_.tick();
        if (old_values.test(instances_.node_row(model_, made[i].first, n))) {
          set.set(next.node_row(model_, i, n));
        }
      }
    }
  }
  base::BitSet& own = values.emplace(formula, base::BitSet(next.node_rows)).first->second;
  for (std::uint32_t i = 0; i < made.size(); ++i) {
    for (const model::NodeId n : graph.component(made[i].first).plain_nodes()) {
      guard_.tick();
      const Product::Vertex v = product.vertex(made[i].first, n, automata::Automaton::kInitial);
      const bool exists = search.is_good(v) || meets(product.exits(v), made[i].second);
      if (exists != universal) {
        own.set(next.node_row(model_, i, n));
      }
    }
  }
  values_ = std::move(values);
  instances_ = std::move(next);
}

/// The quantified formulas that stand under no other one, but those that are known.
std::vector<FormulaId> Evaluation::outermost(FormulaId formula) const {
  if (logic::is_quantified(pool_[formula].op)) {
    return values_.contains(formula) ? std::vector<FormulaId>() : std::vector{formula};
  }
  std::vector<FormulaId> found = logic::quantified_below(pool_, formula);
  std::erase_if(found, [&](FormulaId f) { return values_.contains(f); });
  return found;
}

/// The initial nodes with a path that the automaton accepts.
base::BitSet Evaluation::initial_with_path(const logic::Quantified& quantified) {
  const automata::Automaton automaton = automaton_of(quantified);
  const Letters letters_read = letters(automaton);
  const explain::InstanceGraph graph(model_, instances_);
  const Product product(graph, automaton, letters_read, fairness_, guard_);
  AcceptingSearch search(product, guard_);
  base::BitSet found(instances_.node_rows);
  for (const model::NodeId n : model_.initial_nodes()) {
    if (search.reaches(
            product.vertex(explain::Labelling::kRoot, n, automata::Automaton::kInitial))) {
      found.set(initial_row(n));
    }
  }
  return found;
}

bool Evaluation::holds(FormulaId formula) {
  label_inner(formula);
  for (const FormulaId f : outermost(formula)) {
    const logic::Quantified quantified = logic::quantified_path(pool_, f);
    base::BitSet found = initial_with_path(quantified);
    if (quantified.universal) {
      found.flip_all();  // what is not initial is not looked at
    }
    values_.emplace(f, std::move(found));
  }
  const base::BitSet values = propositional(formula);
  if (fairness_ != nullptr) {
    counted_ = initial_with_path({pool_.unary(Op::X, pool_.constant(true)), false});
  }
  return std::ranges::all_of(counted(),
                             [&](model::NodeId n) { return values.test(initial_row(n)); });
}

std::vector<model::NodeId> Evaluation::counted() const {
  std::vector<model::NodeId> nodes;
  for (const model::NodeId n : model_.initial_nodes()) {
    if (!counted_ || counted_->test(initial_row(n))) {
      nodes.push_back(n);
    }
  }
  return nodes;
}

std::vector<std::vector<Evaluation::Letter>> Evaluation::find_path(FormulaId formula,
                                                                   model::NodeId initial,
                                                                   model::StackTable& stacks,
                                                                   model::StateIndex& states,
                                                                   witness::Evidence& evidence) {
  const automata::Automaton automaton = automaton_of(logic::quantified_path(pool_, formula));
  const Letters letters_read = letters(automaton);
  const explain::InstanceGraph graph(model_, instances_);
  const Product product(graph, automaton, letters_read, fairness_, guard_);
  AcceptingSearch search(product, guard_);
  const Product::Vertex from =
      product.vertex(explain::Labelling::kRoot, initial, automata::Automaton::kInitial);
  [[maybe_unused]] const bool is_found = search.reaches(from);
  assert(is_found);
  Lasso(product, guard_).find(from, search, stacks, states, evidence);
  std::vector<std::vector<Letter>> along(evidence.path.size());
  const explain::StackInstances instances(graph, stacks);
  for (const FormulaId letter : logic::quantified_below(pool_, formula)) {
    const base::BitSet& values = values_.at(letter);
    for (std::size_t i = 0; i < along.size(); ++i) {
      const model::State& state = states[evidence.path[i]];
      along[i].push_back(
          {letter, values.test(graph.plain_row(instances.instance(state.stack), state.node))});
    }
  }
  return along;
}

}  // namespace nestor::engine::ctl_star
