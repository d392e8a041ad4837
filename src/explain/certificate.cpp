#include "explain/certificate.h"

#include "base/json.h"
#include "explain/greatest_proof.h"
#include "explain/instance_graph.h"
#include "explain/least_proof.h"
#include "logic/normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
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
        write_(write) {}

  void run(std::string_view model_hash) {
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      prove(s);
    }
    add("nestor-certificate 1\nmodel ");
    base::append_json_string(out_, model_hash);
    add("\n");
    for (std::size_t s = 0; s < labelling_.subformulas.size(); ++s) {
      formula(s);
    }
    add(holds(model_, labelling_) ? "verdict holds\n" : "verdict fails\n");
    for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
      guard_.tick(graph_.component(i).nodes().size());
      instance(i);
      flush(kEnough);
    }
    add("end\n");
    flush(0);
  }

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 16;

  void add(std::string_view text) { out_.append(text); }
  void number(std::size_t value) {
    const fmt::format_int text(value);
    out_.push_back(' ');
    out_.append(text.data(), text.size());
  }
  void flush(std::size_t enough) {
    if (out_.size() > enough) {
      write_(out_);
      out_.clear();
    }
  }

  std::size_t place(logic::FormulaId f) const {
    const auto found =
        std::lower_bound(labelling_.subformulas.begin(), labelling_.subformulas.end(), f);
    assert(found != labelling_.subformulas.end() && *found == f);
    return static_cast<std::size_t>(found - labelling_.subformulas.begin());
  }

  void prove(std::size_t s) {
    const logic::Formula& f = pool_[labelling_.subformulas[s]];
    least_.emplace_back(
        f.op == logic::Op::EU
            ? std::make_unique<LeastProof>(graph_, s, place(f.left), place(f.right), guard_)
            : nullptr);
    greatest_.emplace_back(f.op == logic::Op::EG
                               ? std::make_unique<GreatestProof>(graph_, s, place(f.left), guard_)
                               : nullptr);
  }

  static std::string_view name(logic::Op op) {
    switch (op) {
      case logic::Op::True:
        return "true";
      case logic::Op::Atom:
        return "ap";
      case logic::Op::Not:
        return "not";
      case logic::Op::Or:
        return "or";
      case logic::Op::EX:
        return "EX";
      case logic::Op::EU:
        return "EU";
      default:
        assert(op == logic::Op::EG);
        return "EG";
    }
  }

  void formula(std::size_t s) {
    const logic::FormulaId id = labelling_.subformulas[s];
    const logic::Formula& f = pool_[id];
    add("formula");
    number(s);
    add(" ");
    add(name(f.op));
    if (f.op == logic::Op::Atom) {
      add(" ");
      base::append_json_string(out_, pool_.atom_name(id));
    }
    if (logic::operand_count(f.op) >= 1) {
      number(place(f.left));
    }
    if (logic::operand_count(f.op) == 2) {
      number(place(f.right));
    }
    add("\n");
  }

  void instance(std::uint32_t i) {
    const model::Component& c = graph_.component(i);
    add("instance");
    number(i);
    add(" ");
    base::append_json_string(out_, model_.component_name(labelling_.instances[i].component));
    add("\n");
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
      out_.push_back(' ');
      const std::size_t start = out_.size();
      out_.resize(start + nodes, '0');
      const base::BitSet& holds_at = labelling_.values[s];
      const std::size_t row = labelling_.instances[i].first_node;
      for (std::size_t n = 0; n < nodes; ++n) {
        if (holds_at.test(row + n)) {
          out_[start + n] = '1';
        }
      }
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

  /// Where a plain node stands in its component.
  std::size_t position(model::NodeId n) const {
    return n - model_.component(model_.component_of(n)).first_node;
  }

  /// A line's beginning: its keyword, the subformula, and the node or return point.
  void point(std::string_view of_node, std::string_view of_return, std::size_t s, model::NodeId n) {
    if (model_.kind(n) == model::NodeKind::Plain) {
      add(of_node);
      number(s);
      number(position(n));
      return;
    }
    const model::BoxId b = model_.box_of(n);
    add(of_return);
    number(s);
    number(b - model_.component(model_.box(b).owner).first_box);
    number(position(model_.origin(n)));
  }

  void facts(std::uint32_t i, std::size_t s) {
    for_each_point(i, [&](model::NodeId n) {
      least_[s]->for_each_kept(graph_.row(i, n), [&](const LeastProof::Fact& fact) {
        point("fact", "point", s, n);
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
      point("dead", "deadpoint", s, n);
      number(proof[row].rank);
      const std::span<const std::uint32_t> reach = proof.reach(proof[row]);
      if (reach.empty()) {
        add(" none");
      }
      char separator = ' ';
      for (const std::uint32_t x : reach) {
        out_.push_back(separator);
        const fmt::format_int text(position(graph_.exits(i)[x]));
        out_.append(text.data(), text.size());
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
  const std::function<void(std::string_view)>& write_;
  std::string out_;
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
