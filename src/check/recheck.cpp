#include "check/recheck.h"

#include <fmt/format.h>

#include <utility>

namespace nestor::check {

void Recheck::add(witness::Claim claim, const model::State& state, std::string where) {
  items_.push_back({claim, state, false, {}, {}, std::move(where)});
}

void Recheck::add_repeated(witness::Claim claim, const model::State& state, model::StackId base,
                           model::StackId grown, std::string where) {
  items_.push_back({claim, state, true, base, grown, std::move(where)});
}

StateLeads Recheck::leads_to(const std::vector<const Item*>& items) const {
  StateLeads leads(model_, stacks_);
  std::map<std::pair<model::StackId, model::StackId>, std::size_t> trees;  // one a loop
  for (const Item* item : items) {
    if (!item->repeated) {
      leads.lead_marked(leads.at(item->state.stack), item->state.stack, item->state.node);
      continue;
    }
    const auto [place, is_new] = trees.try_emplace({item->base, item->grown}, trees.size() + 1);
    const std::size_t tree = place->second;
    if (is_new) {
      const std::size_t begin = leads.at(item->base, tree, item->base);
      leads.step(leads.at(item->base), begin);
      leads.step(leads.at(item->grown, tree, item->base), begin);
    }
    leads.lead_marked(leads.at(item->state.stack, tree, item->base), item->state.stack,
                      item->state.node);
  }
  return leads;
}

/// All of the same claim.
Decision Recheck::decide_some(logic::FormulaPool& pool, Decider& decider,
                              const std::vector<const Item*>& items) const {
  StateLeads leads = leads_to(items);
  const model::Rsm model = leads.build();
  const witness::Claim claim = items.front()->claim;
  const logic::FormulaId there =
      claim.holds ? claim.formula : pool.unary(logic::Op::Not, claim.formula);
  const logic::FormulaId all = pool.unary(
      logic::Op::AG,
      pool.binary(logic::Op::Implies, pool.atom(leads.mark()), pool.unary(logic::Op::AX, there)));
  const std::vector<logic::FormulaId> formulas{all};
  return decider.decide(model, pool, formulas).front();
}

std::optional<Replay> Recheck::decide_each(logic::FormulaPool& pool, Decider& decider) const {
  Replay outcome;
  for (const Item& item : items_) {
    const std::optional<Decision> decision =
        decider.decide_at(model_, pool, item.claim.formula, item.state.node);
    if (!decision) {
      return std::nullopt;
    }
    if (decision->answer == Decision::Answer::Unknown) {
      outcome = {Replay::Outcome::Unknown,
                 fmt::format("{}: not decided: {}", item.where, decision->reason)};
    } else if ((decision->answer == Decision::Answer::Holds) != item.claim.holds) {
      return Replay{Replay::Outcome::Rejected, item.where + ": decided otherwise"};
    }
  }
  return outcome;
}

Replay Recheck::decide(logic::FormulaPool& pool, Decider& decider) const {
  if (const std::optional<Replay> each = decide_each(pool, decider)) {
    return *each;
  }
  std::map<std::pair<logic::FormulaId, bool>, std::vector<const Item*>> by_claim;
  for (const Item& item : items_) {
    by_claim[{item.claim.formula, item.claim.holds}].push_back(&item);
  }
  Replay unknown;
  for (auto& [claim, items] : by_claim) {
    Decision decision = decide_some(pool, decider, items);
    if (decision.answer == Decision::Answer::Unknown) {
      unknown = {Replay::Outcome::Unknown,
                 fmt::format("{}: not decided: {}", items.front()->where, decision.reason)};
    }
    if (decision.answer != Decision::Answer::Fails) {
      continue;
    }
    // One of them is wrong. Halve the list until it is found.
    std::vector<const Item*> left = items;
    while (left.size() > 1) {
      const auto middle = left.begin() + static_cast<std::ptrdiff_t>(left.size() / 2);
      const std::vector<const Item*> half(left.begin(), middle);
      decision = decide_some(pool, decider, half);
      if (decision.answer == Decision::Answer::Fails) {
        left = half;
      } else {
        left.erase(left.begin(), middle);
      }
    }
    return {Replay::Outcome::Rejected, left.front()->where + ": decided otherwise"};
  }
  return unknown;
}

}  // namespace nestor::check
