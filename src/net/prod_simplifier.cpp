#include "net/net_simplifier.h"
#include "net/prod_reader.h"
#include "net/prod_states.h"
#include "net/prod_unfold.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace nestor::net {

namespace {

// A net that needs more is too large for what comes after, too.
constexpr std::uint64_t kStepsToUnfold = 2'000'000;
constexpr double kShareToUnfold = 0.3;
constexpr std::size_t kMostToSimplify = 100'000;

class ProdSimplifier final : public logic::Simplifier {
 public:
  explicit ProdSimplifier(std::shared_ptr<const ProdModel> model) : model_(std::move(model)) {}

  logic::SmallerQuestion simplify(const logic::FormulaPool& pool, logic::FormulaId formula,
                                  const base::Limits& limits) const override {
    if (unfolded(limits) != nullptr) {
      logic::SmallerQuestion question = net_->simplify(pool, formula, limits);
      if (question.value || question.states != nullptr) {
        return question;
      }
    }
    return as_it_is(pool, formula);
  }

  std::optional<logic::GivenState> initial() const override {
    return unfolded({}) == nullptr ? std::nullopt : net_->initial();
  }
  std::shared_ptr<const logic::Simplifier> started_at(const logic::GivenState& state,
                                                      bool plainly) const override {
    return net_->started_at(state, plainly);
  }
  std::shared_ptr<model::SuccessorFunction> given() const override { return net_->given(); }
  std::string describe(const logic::GivenState& state) const override {
    return net_->describe(state);
  }
  logic::GivenState given_state(const model::SuccessorFunction& model,
                                base::StateView state) const override {
    return net_->given_state(model, state);
  }

 private:
  const logic::Simplifier* unfolded(const base::Limits& limits) const {
    std::call_once(is_unfolded_, [&] { unfold(limits); });
    return net_.get();
  }

  void unfold(base::Limits limits) const {
    limits.steps = std::min(limits.steps.value_or(kStepsToUnfold), kStepsToUnfold);
    if (limits.seconds) {
      limits.seconds = *limits.seconds * kShareToUnfold;
    }
    try {
      base::LimitGuard guard(limits);
      net_ = make_net_simplifier(unfolded_states(model_, kMostToSimplify, guard));
    } catch (const base::LimitReached&) {
      net_ = nullptr;  // each question stays as it is
    }
  }

  logic::SmallerQuestion as_it_is(const logic::FormulaPool& pool, logic::FormulaId formula) const {
    logic::SmallerQuestion question;
    question.pool = std::make_shared<logic::FormulaPool>();
    std::map<logic::FormulaId, logic::FormulaId> copy;
    for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
      const logic::Formula& it = pool[f];
      switch (logic::operand_count(it.op)) {
        case 0:
          copy[f] = it.op == logic::Op::Atom ? question.pool->atom(pool.atom_name(f))
                                             : question.pool->constant(it.op == logic::Op::True);
          break;
        case 1:
          copy[f] = question.pool->unary(it.op, copy.at(it.left));
          break;
        default:
          copy[f] = question.pool->binary(it.op, copy.at(it.left), copy.at(it.right));
      }
    }
    question.formula = copy.at(formula);
    question.states = std::make_shared<ProdStates>(model_);
    return question;
  }

  std::shared_ptr<const ProdModel> model_;
  mutable std::once_flag is_unfolded_;
  mutable std::shared_ptr<const logic::Simplifier> net_;  // null: not unfolded
};

}  // namespace

std::shared_ptr<const logic::Simplifier> make_prod_simplifier(
    std::shared_ptr<const ProdModel> model) {
  return std::make_shared<ProdSimplifier>(std::move(model));
}

}  // namespace nestor::net
