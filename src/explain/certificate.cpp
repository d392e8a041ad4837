#include "explain/certificate.h"

#include "explain/certificate_text.h"
#include "explain/greatest_proof.h"
#include "explain/instance_graph.h"
#include "explain/least_proof.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <memory>

namespace nestor::explain {

namespace {

class Writer {
 public:
  Writer(const model::Rsm& model, const logic::FormulaPool& pool, const Labelling& labelling,
         base::LimitGuard& guard, const std::function<void(std::string_view)>& write)
      : model_(model),
        pool_(pool),
        labelling_(labelling),
        graph_(model, labelling),
        guard_(guard),
        text_(model, pool, labelling.subformulas, write) {}

  void run(std::string_view model_hash) {
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      prove(s);
    }
    text_.head("1", model_hash);
    add(holds(model_, labelling_) ? "verdict holds\n" : "verdict fails\n");
    for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
      guard_.tick(graph_.component(i).nodes().size());
      instance(i);
    }
    text_.end();
  }

 private:
  void add(std::string_view text) { text_.add(text); }
  void number(std::size_t value) { text_.number(value); }
  std::size_t position(model::NodeId n) const { return text_.position(n); }

  void prove(std::size_t s) {
    const logic::Formula& f = pool_[labelling_.subformulas[s]];
    least_.emplace_back(f.op == logic::Op::EU
                            ? std::make_unique<LeastProof>(graph_, s, text_.place(f.left),
                                                           text_.place(f.right), guard_)
                            : nullptr);
    greatest_.emplace_back(f.op == logic::Op::EG ? std::make_unique<GreatestProof>(
                                                       graph_, s, text_.place(f.left), guard_)
                                                 : nullptr);
  }

  void instance(std::uint32_t i) {
    const model::Component& c = graph_.component(i);
    text_.instance(i, labelling_.instances[i].component);
    for (const model::BoxId b : c.boxes()) {
      add("box");
      number(b - c.first_box);
      number(graph_.callee(i, b));
      add("\n");
    }
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      if (logic::is_existential(pool_[labelling_.subformulas[s]].op)) {
        context(i, s);
      }
    }
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      values(i, s);
    }
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      if (least_[s] != nullptr) {
        facts(i, s);
      }
      if (greatest_[s] != nullptr) {
        dead(i, s);
      }
    }
  }

  void context(std::uint32_t i, std::size_t s) {
    add("context");
    number(s);
    for (std::size_t x = 0; x < graph_.exits(i).size(); ++x) {
      if (graph_.in_context(s, i, x)) {
        number(position(graph_.exits(i)[x]));
      }
    }
    add("\n");
  }

  void values(std::uint32_t i, std::size_t s) {
    add("value");
    number(s);
    if (const std::size_t nodes = graph_.component(i).plain_nodes().size(); nodes > 0) {
      std::string line(nodes, '0');  // at once: there are as many of these as nodes
      const std::size_t row = labelling_.instances[i].first_node;
      for (std::size_t n = 0; n < nodes; ++n) {
        if (labelling_.values[s].test(row + n)) {
          line[n] = '1';
        }
      }
      add(" ");
      add(line);
    }
    add("\n");
  }

  /// The nodes and return nodes of an instance.
  template <class Visit>
  void for_each_point(std::uint32_t i, Visit visit) const {
    const model::Component& c = graph_.component(i);
    for (const model::NodeId n : c.plain_nodes()) {
      visit(n);
    }
    for (const model::BoxId b : c.boxes()) {
      for (const model::NodeId n : model_.box(b).return_nodes()) {
        visit(n);
      }
    }
  }

  void facts(std::uint32_t i, std::size_t s) {
    for_each_point(i, [&](model::NodeId n) {
      least_[s]->for_each_kept(graph_.row(i, n), [&](const LeastProof::Fact& fact) {
        text_.point("fact", "point", s, n);
        if (fact.target == LeastProof::kGoal) {
          add(" goal");
        } else {
          number(position(graph_.exits(i)[fact.target]));
        }
        number(fact.rank);
        if (!fact.next.valid()) {
          add(" here\n");
          return;
        }
        const std::span<const model::NodeId> successors = model_.successors(n);
        number(static_cast<std::size_t>(std::find(successors.begin(), successors.end(), fact.next) -
                                        successors.begin()));
        if (const std::uint32_t exit = least_[s]->through(fact); exit != LeastProof::kNone) {
          const model::ComponentId callee = model_.box(model_.box_of(fact.next)).callee;
          number(position(model_.exits(callee)[exit]));
        }
        add("\n");
      });
    });
  }

  void dead(std::uint32_t i, std::size_t s) {
    const GreatestProof& proof = *greatest_[s];
    for_each_point(i, [&](model::NodeId n) {
      const std::uint32_t row = graph_.row(i, n);
      if (!proof.has(row)) {
        return;
      }
      text_.point("dead", "deadpoint", s, n);
      number(proof[row].rank);
      const std::span<const std::uint32_t> reach = proof.reach(proof[row]);
      if (reach.empty()) {
        add(" none");
      }
      char separator = ' ';
      for (const std::uint32_t x : reach) {
        text_.number(position(graph_.exits(i)[x]), separator);
        separator = ',';
      }
      add("\n");
    });
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  const Labelling& labelling_;
  InstanceGraph graph_;
  base::LimitGuard& guard_;
  CertificateText text_;
  std::vector<std::unique_ptr<LeastProof>> least_;  // by place in subformulas
  std::vector<std::unique_ptr<GreatestProof>> greatest_;
};

}  // namespace

bool holds(const model::Rsm& model, const Labelling& labelling) {
  const std::span<const model::NodeId> initial = model.initial_nodes();
  return std::all_of(initial.begin(), initial.end(), [&](model::NodeId n) {
    return labelling.values.back().test(labelling.node_row(model, Labelling::kRoot, n));
  });
}

void write_certificate(const model::Rsm& model, const logic::FormulaPool& pool,
                       const Labelling& labelling, std::string_view model_hash,
                       base::LimitGuard& guard,
                       const std::function<void(std::string_view)>& write) {
  Writer(model, pool, labelling, guard, write).run(model_hash);
}

}  // namespace nestor::explain
