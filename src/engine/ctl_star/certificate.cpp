#include "engine/ctl_star/certificate.h"

#include "engine/ctl_star/certificate_values.h"
#include "explain/certificate_text.h"
#include "logic/path_normal_form.h"

#include <algorithm>

namespace nestor::engine::ctl_star {

namespace {

using logic::FormulaId;
using logic::Op;

class CertificateWriter {
 public:
  CertificateWriter(const model::Rsm& model, logic::FormulaPool& pool,
                    const std::vector<FormulaId>& formulas, base::LimitGuard& guard,
                    const std::function<void(std::string_view)>& write)
      : model_(model),
        pool_(pool),
        formulas_(formulas),
        guard_(guard),
        values_(model, pool, formulas, guard),
        text_(model, pool, formulas, write) {}

  bool run(std::string_view model_hash) {
    text_.head("2", model_hash);
    for (const FormulaId f : formulas_) {
      if (pool_[f].op == Op::E) {
        states(f);
      }
    }
    const bool is_held = holds();
    text_.add(is_held ? "verdict holds\n" : "verdict fails\n");
    sort_items();
    for (std::uint32_t i = 0; i < values_.graph().instance_count(); ++i) {
      guard_.tick(values_.graph().component(i).nodes().size());
      instance(i);
    }
    text_.end();
    return is_held;
  }

 private:
  struct Items {
    std::vector<std::vector<PathProof::Needed>> facts;  // by instance
    std::vector<std::vector<PathGraph::Vertex>> dead;
  };

  bool holds() const {
    const CertificateValues::Known& values = values_.values(formulas_.back());
    const std::span<const model::NodeId> initial = model_.initial_nodes();
    return std::ranges::all_of(initial, [&](model::NodeId n) {
      return values.value.test(values_.graph().plain_row(explain::Labelling::kRoot, n));
    });
  }

  void sort_items() {
    const std::size_t count = values_.graph().instance_count();
    for (const FormulaId f : formulas_) {
      if (pool_[f].op != Op::E) {
        continue;
      }
      const CertificateValues::Proof& proof = values_.proof(f);
      Items& items = items_[f];
      items.facts.resize(count);
      items.dead.resize(count);
      for (const PathProof::Needed& needed : proof.proof->facts()) {
        items.facts[(*proof.paths)[needed.vertex].instance].push_back(needed);
      }
      for (const PathGraph::Vertex v : proof.proof->dead()) {
        items.dead[(*proof.paths)[v].instance].push_back(v);
      }
    }
  }

  template <class Numbers, class Number>
  void list(const Numbers& numbers, Number number) {
    if (numbers.empty()) {
      text_.add(" none");
    }
    char separator = ' ';
    for (const auto& item : numbers) {
      text_.number(number(item), separator);
      separator = ',';
    }
  }

  void states(FormulaId f) {
    const auto place = [&](FormulaId g) { return text_.place(g); };
    const std::vector<automata::TableauState>& states = values_.proof(f).automaton->states();
    for (std::size_t q = 0; q < states.size(); ++q) {
      text_.add("state");
      text_.number(text_.place(f));
      text_.number(q);
      list(states[q].obligations, place);
      list(states[q].before, place);
      transitions(f, states[q]);
      text_.add("\n");
    }
  }

  void transitions(FormulaId f, const automata::TableauState& state) {
    text_.add(state.next.empty() ? " none" : "");
    char separator = ' ';
    for (const automata::TableauState::Next& next : state.next) {
      text_.number(next.state, separator);
      sets(f, values_.proof(f).automaton->sets().empty() ? 0 : next.marks);
      separator = ',';
    }
  }

  void instance(std::uint32_t i) {
    const explain::InstanceGraph& graph = values_.graph();
    const model::Component& c = graph.component(i);
    text_.instance(i, values_.instances().instances[i].component);
    for (const model::BoxId b : c.boxes()) {
      text_.add("box");
      text_.number(b - c.first_box);
      text_.number(graph.callee(i, b));
      text_.add("\n");
    }
    for (const FormulaId f : formulas_) {
      if (pool_.is_state_formula(f)) {
        values(i, f);
      }
    }
    for (const FormulaId f : formulas_) {
      if (pool_[f].op == Op::E) {
        context(i, f, "good", values_.proof(f).proof->good_exits()[i]);
        context(i, f, "dead", values_.proof(f).proof->dead_exits()[i]);
        for (const PathProof::Needed& needed : items_.at(f).facts[i]) {
          fact(f, needed);
        }
        for (const PathGraph::Vertex v : items_.at(f).dead[i]) {
          dead(f, v);
        }
      }
    }
  }

  void values(std::uint32_t i, FormulaId f) {
    const CertificateValues::Known& values = values_.values(f);
    const auto nodes = values_.graph().component(i).plain_nodes();
    const auto row = [&](model::NodeId n) { return values_.graph().plain_row(i, n); };
    if (std::none_of(nodes.begin(), nodes.end(),
                     [&](model::NodeId n) { return values.known.test(row(n)); })) {
      return;
    }
    text_.add("value");
    text_.number(text_.place(f));
    text_.add(" ");
    for (const model::NodeId n : nodes) {
      text_.add(!values.known.test(row(n)) ? "-" : values.value.test(row(n)) ? "1" : "0");
    }
    text_.add("\n");
  }

  void add_exit(std::uint32_t instance, const PathGraph::Exit& exit, char separator) {
    text_.number(text_.position(values_.graph().exits(instance)[exit.exit]), separator);
    text_.number(exit.state, ':');
  }

  void context(std::uint32_t i, FormulaId f, std::string_view kind,
               const std::set<PathGraph::Exit>& exits) {
    if (exits.empty()) {
      return;
    }
    text_.add("context");
    text_.number(text_.place(f));
    text_.add(" ");
    text_.add(kind);
    for (const PathGraph::Exit& x : exits) {
      add_exit(i, x, ' ');
    }
    text_.add("\n");
  }

  /// The number of the U that a set is about; the formula's own if there is none.
  std::size_t set_number(FormulaId f, std::uint32_t set) const {
    const std::vector<FormulaId>& sets = values_.proof(f).automaton->sets();
    return text_.place(sets.empty() ? f : sets[set]);
  }

  void sets(FormulaId f, std::uint32_t marks) {
    for (std::uint32_t set = 0; set < values_.proof(f).automaton->set_count(); ++set) {
      if (((marks >> set) & 1) != 0) {
        text_.number(set_number(f, set), ':');
      }
    }
  }

  void fact(FormulaId f, const PathProof::Needed& needed) {
    guard_.tick();
    const CertificateValues::Proof& proof = values_.proof(f);
    const PathGraph::Item& item = (*proof.paths)[needed.vertex];
    const PathGraph::Fact& why = proof.proof->fact(needed);
    text_.point("fact", "point", text_.place(f), item.node);
    text_.number(item.state);
    if (needed.to_good) {
      text_.add(" good");
    } else {
      add_exit(item.instance, needed.exit, ' ');
    }
    if (needed.set == PathGraph::kAny) {
      text_.add(" any");
    } else {
      text_.number(set_number(f, needed.set));
    }
    text_.number(why.rank);
    if (why.edge == PathGraph::kNone) {
      text_.add(needed.to_good ? " end\n" : " here\n");
      return;
    }
    const PathGraph::Edge& edge = item.edges[why.edge];
    if (edge.kind == PathKind::Stay) {
      text_.add(" stay");
    } else {
      text_.number(edge.choice);
    }
    text_.number(edge.transition);
    if (edge.kind == PathKind::Pass) {
      text_.add(" through");
      add_exit((*proof.paths)[edge.entry].instance, edge.through, ' ');
      text_.add(why.by_callee ? " marked" : "");
    }
    text_.add(why.arrives ? " arrive\n" : "\n");
  }

  void dead(FormulaId f, PathGraph::Vertex v) {
    guard_.tick();
    const PathGraph& paths = *values_.proof(f).paths;
    const PathGraph::Item& item = paths[v];
    text_.point("dead", "deadpoint", text_.place(f), item.node);
    text_.number(item.state);
    text_.number(paths.rank(v));
    text_.number(set_number(f, paths.missing(v)));
    if (item.ways.empty()) {
      text_.add(" none");
    }
    char separator = ' ';
    for (const PathGraph::Way& way : item.ways) {
      add_exit(item.instance, way.exit, separator);
      sets(f, way.marks);
      separator = ',';
    }
    text_.add("\n");
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  const std::vector<FormulaId>& formulas_;
  base::LimitGuard& guard_;
  CertificateValues values_;
  explain::CertificateText text_;
  std::map<FormulaId, Items> items_;
};

}  // namespace

bool write_path_certificate(const ExplainTask& task, std::string_view model_hash,
                            base::LimitGuard& guard,
                            const std::function<void(std::string_view)>& write) {
  const std::vector<FormulaId> formulas =
      logic::subformulas(task.pool, logic::path_normal_form(task.pool, task.formula));
  return CertificateWriter(task.model, task.pool, formulas, guard, write).run(model_hash);
}

}  // namespace nestor::engine::ctl_star
