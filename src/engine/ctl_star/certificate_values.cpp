#include "engine/ctl_star/certificate_values.h"

#include "base/error.h"

#include <algorithm>
#include <set>
#include <utility>

namespace nestor::engine::ctl_star {

using logic::Op;

CertificateValues::CertificateValues(const model::Rsm& model, logic::FormulaPool& pool,
                                     const std::vector<FormulaId>& formulas,
                                     base::LimitGuard& guard)
    : model_(model), pool_(pool), formulas_(formulas), guard_(guard) {
  find_inner();
  make_instances();
  // First the instances, splitting them for one formula after the other; then all is found anew on
  // the last ones, which are fine enough for every formula.
  for (const bool is_last : {false, true}) {
    graph_ = std::make_unique<explain::InstanceGraph>(model_, instances_);
    values_.clear();
    for (const FormulaId f : formulas_) {
      if (!pool_.is_state_formula(f)) {
        continue;
      }
      if (pool_[f].op != Op::E) {
        connect(f);
      } else if (is_last) {
        prove(f);
      } else if (is_inner_.at(f)) {
        split(f);
      } else {
        values_[f] = {base::BitSet(instances_.node_rows), base::BitSet(instances_.node_rows)};
      }
    }
  }
}

void CertificateValues::find_inner() {
  std::set<FormulaId> inside;
  for (std::size_t i = formulas_.size(); i-- > 0;) {
    const logic::Formula& formula = pool_[formulas_[i]];
    const bool is_inside = inside.contains(formulas_[i]);
    if (formula.op == Op::E) {
      is_inner_[formulas_[i]] = is_inside;
    }
    for (int o = 0; o < logic::operand_count(formula.op); ++o) {
      if (is_inside || formula.op == Op::E) {
        inside.insert(o == 0 ? formula.left : formula.right);
      }
    }
  }
}

/// The empty stack, and one instance for each component that is called from there.
void CertificateValues::make_instances() {
  instances_.add_instance(model_, model_.initial_component());
  std::map<model::ComponentId, std::uint32_t> called;
  for (std::uint32_t i = 0; i < instances_.instances.size(); ++i) {
    for (const model::BoxId b : model_.component(instances_.instances[i].component).boxes()) {
      const model::ComponentId callee = model_.box(b).callee;
      auto place = called.find(callee);
      if (place == called.end()) {
        place = called.emplace(callee, instances_.add_instance(model_, callee)).first;
      }
      instances_.callees[instances_.box_row(model_, i, b)] = place->second;
    }
  }
}

/// A proposition, a constant or a connective.
void CertificateValues::connect(FormulaId f) {
  const logic::Formula& formula = pool_[f];
  guard_.reserve(instances_.node_rows / 4);
  Known made{base::BitSet(instances_.node_rows), base::BitSet(instances_.node_rows)};
  if (logic::operand_count(formula.op) == 0) {
    made.known.set_all();
    if (formula.op == Op::True) {
      made.value.set_all();
    } else if (formula.op == Op::Atom) {
      const model::PropId p = model_.find_prop(pool_.atom_name(f));
      const std::span<const model::NodeId> nodes =
          p.valid() ? model_.nodes_with(p) : std::span<const model::NodeId>();
      for (std::uint32_t i = 0; i < graph_->instance_count(); ++i) {
        const model::Component& c = graph_->component(i);
        for (auto n = std::ranges::lower_bound(nodes, c.first_node);
             n != nodes.end() && *n < c.plain_end; ++n) {
          made.value.set(graph_->plain_row(i, *n));
        }
      }
    }
    values_[f] = std::move(made);
    return;
  }
  const Known& left = values_.at(formula.left);
  const Known& right = formula.op == Op::Not ? left : values_.at(formula.right);
  for (std::size_t w = 0; w < left.known.words().size(); ++w) {
    // What is known to be true, and to be false, of each operand.
    std::uint64_t yes = left.known.words()[w] & left.value.words()[w];
    std::uint64_t no = left.known.words()[w] & ~left.value.words()[w];
    const std::uint64_t right_yes = right.known.words()[w] & right.value.words()[w];
    const std::uint64_t right_no = right.known.words()[w] & ~right.value.words()[w];
    if (formula.op == Op::Not) {
      std::swap(yes, no);
    } else if (formula.op == Op::And) {
      yes &= right_yes;
      no |= right_no;
    } else {
      yes |= right_yes;
      no &= right_no;
    }
    made.known.set_word(w, yes | no);
    made.value.set_word(w, yes);
  }
  values_[f] = std::move(made);
}

/// The graph of paths from where the formula is needed.
CertificateValues::Proof CertificateValues::begin(FormulaId f) {
  Proof proof;
  proof.automaton = std::make_unique<PathAutomaton>(pool_, pool_[f].left, guard_);
  guard_.reserve(instances_.node_rows * sizeof(std::uint32_t));
  const std::vector<FormulaId>& leaves = proof.automaton->leaves();
  for (std::size_t row = 0; row < instances_.node_rows; ++row) {
    PathAutomaton::Letter letter;
    for (const FormulaId leaf : leaves) {
      letter.push_back(values_.at(leaf).value.test(row));
    }
    proof.letters.push_back(proof.automaton->letter(letter));
  }
  proof.paths = std::make_unique<PathGraph>(*graph_, *proof.automaton, proof.letters, guard_);
  if (is_inner_.at(f)) {
    for (std::uint32_t i = 0; i < graph_->instance_count(); ++i) {
      for (const model::NodeId n : graph_->component(i).plain_nodes()) {
        proof.paths->add_with_callers(i, n, 0);
      }
    }
  } else {
    for (const model::NodeId n : model_.initial_nodes()) {
      proof.paths->add(explain::Labelling::kRoot, n, 0);
    }
  }
  proof.paths->finish();
  return proof;
}

/// An instance for each context that one is called in. Returns by new instance the old one.
std::vector<std::uint32_t> CertificateValues::split_by(const Proof& proof, explain::Labelling& next,
                                                       Contexts& contexts) const {
  const PathGraph& paths = *proof.paths;
  Contexts visible(graph_->instance_count());
  for (PathGraph::Vertex v = 0; v < paths.size(); ++v) {
    for (const PathGraph::Way& way : paths[v].ways) {
      if (paths[v].shows_ways) {
        visible[paths[v].instance].insert(way.exit);
      }
    }
  }
  using Key = std::pair<std::uint32_t, std::set<PathGraph::Exit>>;
  std::vector<std::uint32_t> old{explain::Labelling::kRoot};
  std::map<Key, std::uint32_t> numbers;
  contexts.assign(1, {});
  next.add_instance(model_, model_.initial_component());
  for (std::uint32_t i = 0; i < old.size(); ++i) {
    for (const model::BoxId b : graph_->component(old[i]).boxes()) {
      const std::uint32_t callee = graph_->callee(old[i], b);
      std::set<PathGraph::Exit> inner;
      for (const PathGraph::Exit& exit : visible[callee]) {
        guard_.tick();
        const PathGraph::Item& back =
            paths[paths.find(old[i], model_.box(b).first_return + exit.exit, exit.state)];
        if (back.is_good || std::ranges::any_of(back.ways, [&](const PathGraph::Way& way) {
              return contexts[i].contains(way.exit);
            })) {
          inner.insert(exit);
        }
      }
      const auto [place, is_new] =
          numbers.try_emplace(Key(callee, inner), static_cast<std::uint32_t>(old.size()));
      if (is_new) {
        guard_.reserve(model_.component(model_.box(b).callee).nodes().size());
        old.push_back(callee);
        contexts.push_back(std::move(inner));
        next.add_instance(model_, model_.box(b).callee);
      }
      next.callees[next.box_row(model_, i, b)] = place->second;
    }
  }
  return old;
}

void CertificateValues::split(FormulaId f) {
  const Proof proof = begin(f);
  explain::Labelling next;
  Contexts contexts;
  const std::vector<std::uint32_t> old = split_by(proof, next, contexts);
  std::map<FormulaId, Known> values;
  const auto for_each_row = [&](auto visit) {
    for (std::uint32_t i = 0; i < old.size(); ++i) {
      for (const model::NodeId n : graph_->component(old[i]).plain_nodes()) {
        guard_.tick();
        visit(i, n, graph_->plain_row(old[i], n), next.node_row(model_, i, n));
      }
    }
  };
  for (const auto& entry : values_) {
    const Known& before = entry.second;
    Known& made =
        values[entry.first] = {base::BitSet(next.node_rows), base::BitSet(next.node_rows)};
    for_each_row([&](std::uint32_t, model::NodeId, std::size_t from, std::size_t to) {
      if (before.known.test(from)) {
        made.known.set(to);
      }
      if (before.value.test(from)) {
        made.value.set(to);
      }
    });
  }
  Known& own = values[f] = {base::BitSet(next.node_rows), base::BitSet(next.node_rows)};
  own.known.set_all();
  for_each_row([&](std::uint32_t i, model::NodeId n, std::size_t, std::size_t to) {
    const PathGraph::Item& item = (*proof.paths)[proof.paths->find(old[i], n, 0)];
    if (item.is_good || std::ranges::any_of(item.ways, [&](const PathGraph::Way& way) {
          return contexts[i].contains(way.exit);
        })) {
      own.value.set(to);
    }
  });
  values_ = std::move(values);
  graph_.reset();
  instances_ = std::move(next);
  graph_ = std::make_unique<explain::InstanceGraph>(model_, instances_);
}

void CertificateValues::prove(FormulaId f) {
  Proof& proof = proofs_[f] = begin(f);
  proof.contexts.resize(graph_->instance_count());
  if (is_inner_.at(f)) {
    explain::Labelling same;
    const std::vector<std::uint32_t> old = split_by(proof, same, proof.contexts);
    NESTOR_CHECK(std::ranges::is_sorted(old) && old.size() == graph_->instance_count());
  }
  proof.proof = std::make_unique<PathProof>(*proof.paths, proof.contexts);
  Known& values =
      values_[f] = {base::BitSet(instances_.node_rows), base::BitSet(instances_.node_rows)};
  const auto claim = [&](std::uint32_t i, model::NodeId n) {
    const PathGraph::Vertex v = proof.paths->find(i, n, 0);
    proof.proof->claim(v);
    values.known.set(graph_->plain_row(i, n));
    if (proof.proof->is_good(v)) {
      values.value.set(graph_->plain_row(i, n));
    }
  };
  if (!is_inner_.at(f)) {
    for (const model::NodeId n : model_.initial_nodes()) {
      claim(explain::Labelling::kRoot, n);
    }
    return;
  }
  for (std::uint32_t i = 0; i < graph_->instance_count(); ++i) {
    for (const model::NodeId n : graph_->component(i).plain_nodes()) {
      claim(i, n);
    }
  }
}

}  // namespace nestor::engine::ctl_star
