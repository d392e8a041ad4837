#include "engine/ctl_star/evidence.h"

#include <algorithm>
#include <map>
#include <utility>

namespace nestor::engine::ctl_star {

namespace {

using witness::Claim;
using witness::Evidence;
using witness::EvidenceId;

class Extraction {
 public:
  Extraction(const ExplainTask& task, Evaluation& evaluation)
      : pool_(task.pool), evaluation_(evaluation), states_(witness_.states) {
    witness_.formula = task.formula;
    witness_.holds = task.holds;
    witness_.fairness = task.fairness == nullptr ? 0 : task.fairness->constraints;
    for (const model::NodeId n : evaluation.counted()) {
      if (task.holds || !evaluation.value(task.formula, n)) {
        witness_.roots.push_back(need({task.formula, task.holds}, {model::StackTable::kEmpty, n}));
        if (!task.holds) {
          break;  // one will do
        }
      }
    }
  }

  witness::Witness run() {
    while (!open_.empty()) {
      const EvidenceId e = open_.back();
      open_.pop_back();
      Evidence evidence = std::move(witness_.evidence[e]);
      show(evidence);
      witness_.evidence[e] = std::move(evidence);
    }
    return std::move(witness_);
  }

 private:
  EvidenceId need(Claim claim, model::State state, Evidence::Kind kind = Evidence::Kind::Fact) {
    const model::StateId s = states_.intern(state);
    const auto [place, is_new] =
        made_.try_emplace({claim.formula, s}, EvidenceId(witness_.evidence.size()));
    if (is_new) {
      Evidence evidence;
      evidence.kind = kind;
      evidence.claim = claim;
      evidence.state = s;
      witness_.evidence.push_back(std::move(evidence));
      if (kind == Evidence::Kind::Fact) {
        open_.push_back(place->second);
      }
    }
    return place->second;
  }

  /// Of an initial state.
  void show(Evidence& evidence) {
    const logic::FormulaId f = evidence.claim.formula;
    const model::NodeId initial = witness_.states[evidence.state].node;
    if (logic::is_quantified(pool_[f].op)) {
      if (logic::quantified_path(pool_, f).universal == evidence.claim.holds) {
        evidence.kind = Evidence::Kind::All;
      } else {
        show_path(evidence, initial);
      }
    } else if (!logic::quantified_below(pool_, f).empty()) {
      show_parts(evidence, initial);
    }
  }

  void show_path(Evidence& evidence, model::NodeId initial) {
    evidence.kind = Evidence::Kind::Path;
    const std::vector<std::vector<Evaluation::Letter>> along =
        evaluation_.find_path(evidence.claim.formula, initial, witness_.stacks, states_, evidence);
    for (std::size_t i = 0; i < witness::along_count(evidence); ++i) {
      for (const Evaluation::Letter& letter : along[i]) {
        evidence.along.push_back(need({letter.formula, letter.holds},
                                      witness_.states[evidence.path[i]], Evidence::Kind::Decided));
      }
    }
  }

  /// The operands that decide the connective: one if one does.
  void show_parts(Evidence& evidence, model::NodeId initial) {
    evidence.kind = Evidence::Kind::Parts;
    const logic::Formula formula = pool_[evidence.claim.formula];
    const model::State state = witness_.states[evidence.state];
    const auto add = [&](logic::FormulaId operand) {
      evidence.parts.push_back(need({operand, evaluation_.value(operand, initial)}, state));
    };
    const auto decides = [&](logic::FormulaId operand, bool value) {
      const bool does = evaluation_.value(operand, initial) == value;
      if (does) {
        add(operand);
      }
      return does;
    };
    const bool holds = evidence.claim.holds;
    switch (formula.op) {
      case logic::Op::And:
        if (!holds && (decides(formula.left, false) || decides(formula.right, false))) {
          return;
        }
        break;
      case logic::Op::Or:
        if (holds && (decides(formula.left, true) || decides(formula.right, true))) {
          return;
        }
        break;
      case logic::Op::Implies:
        if (holds && (decides(formula.left, false) || decides(formula.right, true))) {
          return;
        }
        break;
      default:
        break;
    }
    add(formula.left);
    if (logic::operand_count(formula.op) == 2) {
      add(formula.right);
    }
  }

  logic::FormulaPool& pool_;
  Evaluation& evaluation_;
  witness::Witness witness_;
  model::StateIndex states_;
  std::map<std::pair<logic::FormulaId, model::StateId>, EvidenceId> made_;
  std::vector<EvidenceId> open_;
};

}  // namespace

witness::Witness extract(const ExplainTask& task, Evaluation& evaluation) {
  return Extraction(task, evaluation).run();
}

}  // namespace nestor::engine::ctl_star
