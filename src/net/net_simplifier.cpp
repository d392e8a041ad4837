#include "net/net_simplifier.h"

#include "net/formula_parts.h"
#include "net/net_formula.h"
#include "net/net_way_back.h"
#include "net/read_net_formula.h"
#include "net/reduction.h"
#include "net/state_equation.h"
#include "net/stubborn_states.h"
#include "net/symbolic_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;

// Predicates are evaluated on the C++ stack.
constexpr std::uint32_t kMostDepth = 300;
constexpr std::size_t kMostOperands = 1000;

/// Values in the initial marking, as far as they are known without looking at any other.
class InitialValues {
 public:
  InitialValues(const NetFormulas& formulas, NetNodeId root, const PetriNet& net)
      : formulas_(formulas), net_(net), is_dead_(find_dead()) {
    for (const NetNodeId f : formulas.below(root)) {
      values_[f] = value(f);
    }
  }

  std::optional<bool> operator()(NetNodeId f) const { return values_.at(f); }

 private:
  std::optional<bool> value(NetNodeId f) const {
    const NetFormulas::Node& node = formulas_[f];
    switch (node.op) {
      case Op::True:
      case Op::False:
        return node.op == Op::True;
      case Op::Atom:
        return holds(formulas_.comparison(f));
      case Op::Dead:
      case Op::Alive:
        return is_dead_ == (node.op == Op::Dead);
      case Op::And:
      case Op::Or:
        return joined(node, node.op == Op::Or);
      case Op::EX:
      case Op::AX:
        return is_dead_ ? std::optional(node.op == Op::AX) : std::nullopt;
      default:
        break;
    }
    const std::optional<bool> left = values_.at(node.operands[0]);
    const std::optional<bool> right = values_.at(node.operands[1]);
    if (right == true) {
      return true;
    }
    if (right == false && left == false) {
      return false;
    }
    if (right == false && is_dead_) {  // the path ends here
      return node.op == Op::EW || node.op == Op::AW ? left : std::optional(false);
    }
    return std::nullopt;
  }

  bool holds(const AtMostZero& comparison) const {
    std::int64_t sum = comparison.constant;
    for (const AtMostZero::Term& term : comparison.terms) {
      sum += term.factor * net_.place(term.place).tokens;
    }
    return sum <= 0;
  }

  bool find_dead() const {
    for (const TransitionId t : net_.transitions()) {
      if (std::ranges::all_of(net_.transition(t).inputs, [&](const PetriNet::Arc& arc) {
            return net_.place(arc.place).tokens >= arc.weight;
          })) {
        return false;
      }
    }
    return true;
  }

  std::optional<bool> joined(const NetFormulas::Node& node, bool final) const {
    bool all_known = true;
    for (const NetNodeId f : node.operands) {
      const std::optional<bool> value = values_.at(f);
      if (value == final) {
        return final;
      }
      all_known = all_known && value.has_value();
    }
    return all_known ? std::optional(!final) : std::nullopt;
  }

  const NetFormulas& formulas_;
  const PetriNet& net_;
  bool is_dead_;
  std::map<NetNodeId, std::optional<bool>> values_;
};

/// What is outside of all temporal operators speaks of the initial marking alone.
NetNodeId decide_initially(NetFormulas& formulas, NetNodeId root, const PetriNet& net) {
  const InitialValues values(formulas, root, net);
  std::vector<NetNodeId> outside = {root};
  std::set<NetNodeId> is_outside;
  while (!outside.empty()) {
    const NetNodeId f = outside.back();
    outside.pop_back();
    if (is_outside.insert(f).second && (formulas[f].op == Op::And || formulas[f].op == Op::Or)) {
      outside.insert(outside.end(), formulas[f].operands.begin(), formulas[f].operands.end());
    }
  }
  // A subformula may stand outside and inside: only the way from the root is rewritten.
  std::map<NetNodeId, NetNodeId> now;
  for (const NetNodeId f : is_outside) {  // ascending, so operands first
    const NetFormulas::Node node = formulas[f];
    const std::optional<bool> value = values(f);
    if (value) {
      now[f] = formulas.constant(*value);
    } else if (node.op == Op::And || node.op == Op::Or) {
      std::vector<NetNodeId> operands;
      for (const NetNodeId g : node.operands) {
        operands.push_back(now.at(g));
      }
      now[f] = formulas.again(node, std::move(operands));
    } else {
      now[f] = f;
    }
  }
  return now.at(root);
}

class NetSimplifier final : public logic::Simplifier {
 public:
  NetSimplifier(std::shared_ptr<const NetStates> states, const NetStages& stages)
      : states_(std::move(states)), stages_(stages) {}

  logic::SmallerQuestion simplify(const logic::FormulaPool& pool, logic::FormulaId formula,
                                  const base::Limits& limits) const override {
    const auto formulas = std::make_shared<NetFormulas>();
    const std::optional<NetNodeId> root = read(pool, formula, *formulas, limits);
    return root ? smaller(states_->net(), formulas, *root, limits) : logic::SmallerQuestion();
  }

  logic::SmallerQuestion in_parts(const logic::FormulaPool& pool, logic::FormulaId formula,
                                  const base::Limits& limits) const override {
    const auto formulas = std::make_shared<NetFormulas>();
    const std::optional<NetNodeId> root = read(pool, formula, *formulas, limits);
    if (!root) {
      return {};
    }
    const PetriNet& net = states_->net();
    std::size_t room = net.place_count() + net.transition_count() > kMostInParts ? 0 : kMostParts;
    return split(net, formulas, *root, limits, room);
  }

  std::optional<logic::GivenState> initial() const override {
    logic::GivenState tokens;
    for (const PlaceId p : states_->net().places()) {
      tokens.push_back(states_->net().place(p).tokens);
    }
    return tokens;
  }
  std::shared_ptr<const logic::Simplifier> started_at(const logic::GivenState& state,
                                                      bool plainly) const override {
    return std::make_shared<NetSimplifier>(
        states_->started_at(state), plainly ? NetStages{false, false, false, false} : stages_);
  }
  std::shared_ptr<model::SuccessorFunction> given() const override {
    return states_->started_at(*initial());
  }
  std::string describe(const logic::GivenState& state) const override {
    return net::describe(states_->net(), state);
  }
  logic::GivenState given_state(const model::SuccessorFunction& model,
                                base::StateView state) const override {
    const auto& states = dynamic_cast<const NetStates&>(model);
    logic::GivenState tokens;
    for (const PlaceId p : states.net().places()) {
      tokens.push_back(states.tokens(state, p));
    }
    return tokens;
  }

 private:
  static constexpr std::size_t kMostParts = 12;
  static constexpr std::size_t kMostInParts = 50'000;  // places and transitions of a net

  std::optional<NetNodeId> read(const logic::FormulaPool& pool, logic::FormulaId formula,
                                NetFormulas& formulas, const base::Limits& limits) const {
    base::LimitGuard guard(limits);
    const std::optional<NetNodeId> root =
        read_net_formula(*states_, pool, formula, formulas, guard);
    return root && formulas[*root].depth <= kMostDepth ? root : std::nullopt;
  }

  /// `room`: parts that may still be made. What is outside of the operators that look further than
  /// one step is taken apart, so that each part has a net of its own.
  logic::SmallerQuestion split(const PetriNet& net, const std::shared_ptr<NetFormulas>& formulas,
                               NetNodeId root, const base::Limits& limits,
                               std::size_t& room) const {
    root = decide_initially(*formulas, root, net);
    const std::optional<FormulaParts> parts = parts_of(*formulas, root, net, room + 1);
    if (!parts) {
      return smaller(net, formulas, root, limits);
    }
    room -= parts->size() - 1;
    base::Limits share = limits;
    if (share.seconds) {
      share.seconds = *share.seconds / static_cast<double>(parts->size());
    }
    logic::SmallerQuestion question;
    question.needs_all = parts->needs_all;
    for (const NetNodeId f : parts->formulas) {
      question.parts.push_back(split(net, formulas, f, share, room));
    }
    for (const std::vector<std::uint32_t>& tokens : parts->starts) {
      PetriNet there = net;
      for (const PlaceId p : net.places()) {
        there.place(p).tokens = tokens[p.value()];
      }
      question.parts.push_back(split(there, formulas, parts->next, share, room));
    }
    return question;
  }

  logic::SmallerQuestion smaller(const PetriNet& net, const std::shared_ptr<NetFormulas>& made,
                                 NetNodeId root, const base::Limits& limits) const {
    base::LimitGuard guard(limits);
    NetFormulas& formulas = *made;
    root = decide_initially(formulas, root, net);
    if (is_constant(formulas, root)) {
      return constant(formulas, root, "reduced to a constant");
    }
    PetriNet reduced = net;
    FiringHistory history(net);
    const char* how = "reduced to a constant";
    try {
      root = reduce_all(reduced, formulas, root, history, limits, guard, how);
    } catch (const base::LimitReached&) {
      // A stage that does not end in its share is left out: net and formula are those before it.
      if (limits.is_cancelled()) {
        throw;
      }
    }
    if (is_constant(formulas, root)) {
      return constant(formulas, root, how);
    }
    logic::SmallerQuestion smaller =
        question(std::move(reduced), formulas, root, std::move(history));
    if (stages_.decision_diagrams) {
      const std::shared_ptr<SymbolicChecker> checker =
          checker_of(dynamic_cast<const NetStates&>(*smaller.states).net());
      smaller.sets = checker;
      smaller.by_sets = [checker, made, root](const base::Limits& share) {
        return checker->holds(*made, root, share);
      };
    }
    return smaller;
  }

  /// The same for equal nets.
  std::shared_ptr<SymbolicChecker> checker_of(const PetriNet& net) const {
    std::vector<std::uint32_t> text = {static_cast<std::uint32_t>(net.place_count())};
    for (const PlaceId p : net.places()) {
      text.push_back(net.place(p).tokens);
    }
    for (const TransitionId t : net.transitions()) {
      for (const auto* arcs : {&net.transition(t).inputs, &net.transition(t).outputs}) {
        text.push_back(static_cast<std::uint32_t>(arcs->size()));
        for (const PetriNet::Arc& arc : *arcs) {
          text.push_back(arc.place.value());
          text.push_back(arc.weight);
        }
      }
    }
    const std::scoped_lock lock(mutex_);
    std::weak_ptr<SymbolicChecker>& known = checkers_[std::move(text)];
    std::shared_ptr<SymbolicChecker> checker = known.lock();
    if (checker == nullptr) {
      checker = std::make_shared<SymbolicChecker>(net);
      known = checker;
    }
    return checker;
  }

  /// Throws LimitReached; `net` and `root` are then those of the last stage that ended.
  NetNodeId reduce_all(PetriNet& net, NetFormulas& formulas, NetNodeId& root,
                       FiringHistory& history, const base::Limits& limits, base::LimitGuard& guard,
                       const char*& how) const {
    const auto reduce_once = [&] {
      if (stages_.reductions && !is_constant(formulas, root)) {
        root = reduce(net, formulas, root, history, guard);
        root = decide_initially(formulas, root, net);
      }
    };
    reduce_once();
    if (stages_.state_equation && !is_constant(formulas, root)) {
      const NetNodeId before = root;
      root = simplify_by_state_equation(net, formulas, root, limits, guard);
      root = decide_initially(formulas, root, net);
      if (root != before) {
        how = "state equation";
        reduce_once();
      }
    }
    return root;
  }

  static bool is_constant(const NetFormulas& formulas, NetNodeId root) {
    return formulas[root].op == Op::True || formulas[root].op == Op::False;
  }

  static logic::SmallerQuestion constant(const NetFormulas& formulas, NetNodeId root,
                                         const char* how) {
    logic::SmallerQuestion answer;
    answer.value = formulas[root].op == Op::True;
    answer.how = how;
    return answer;
  }

  /// Parts without temporal operators become propositions of the states, the rest a formula.
  logic::SmallerQuestion question(PetriNet net, const NetFormulas& formulas, NetNodeId root,
                                  FiringHistory history) const {
    logic::SmallerQuestion result;
    std::shared_ptr<NetStates> states;
    if (stages_.stubborn_sets) {
      states = stubborn_states(net, formulas, root);
    }
    if (states == nullptr) {
      states = std::make_shared<NetStates>(std::move(net));
    }
    result.pool = std::make_shared<logic::FormulaPool>();
    logic::FormulaPool& pool = *result.pool;
    std::map<NetNodeId, logic::FormulaId> made;
    for (const NetNodeId f : formulas.below(root)) {
      const NetFormulas::Node& node = formulas[f];
      if (!node.is_temporal) {
        continue;
      }
      for (const NetNodeId g : node.operands) {
        if (!formulas[g].is_temporal && !made.contains(g)) {
          made[g] = proposition(formulas, g, *states, pool);
        }
      }
      made[f] = operation(node, made, pool);
    }
    result.formula =
        made.contains(root) ? made.at(root) : proposition(formulas, root, *states, pool);
    result.way_back = std::make_shared<NetWayBack>(states_, states, std::move(history));
    result.states = std::move(states);
    return result;
  }

  static logic::FormulaId proposition(const NetFormulas& formulas, NetNodeId root,
                                      NetStates& states, logic::FormulaPool& pool) {
    if (is_constant(formulas, root)) {
      return pool.constant(formulas[root].op == Op::True);
    }
    const std::vector<NetNodeId>& operands = formulas[root].operands;
    if (operands.size() <= kMostOperands) {
      const std::string name = fmt::format("#{}", root.value());
      states.name_predicate(name, make_predicate(formulas, root));
      return pool.atom(name);
    }
    // A search looks at its limits between propositions: so none may take long.
    std::optional<logic::FormulaId> joined;
    for (std::size_t first = 0; first < operands.size(); first += kMostOperands) {
      NetPredicate part{{{formulas[root].op, {}, {}}}};
      const std::size_t last = std::min(operands.size(), first + kMostOperands);
      for (std::size_t i = first; i < last; ++i) {
        append(part, make_predicate(formulas, operands[i]));
      }
      // The operator comes last.
      std::rotate(part.parts.begin(), part.parts.begin() + 1, part.parts.end());
      const std::string name = fmt::format("#{}/{}", root.value(), first);
      states.name_predicate(name, std::move(part));
      const logic::FormulaId atom = pool.atom(name);
      joined = joined ? pool.binary(logic_op(formulas[root].op), *joined, atom) : atom;
    }
    return *joined;
  }

  static logic::Op logic_op(Op op) { return op == Op::And ? logic::Op::And : logic::Op::Or; }

  /// As an operand of the first part, which will be the last.
  static void append(NetPredicate& predicate, NetPredicate operand) {
    const auto offset = static_cast<std::uint32_t>(predicate.parts.size() - 1);
    for (NetPredicate::Part& part : operand.parts) {
      for (std::uint32_t& number : part.operands) {
        number += offset;
      }
      predicate.parts.push_back(std::move(part));
    }
    predicate.parts.front().operands.push_back(
        static_cast<std::uint32_t>(predicate.parts.size() - 2));
  }

  static logic::FormulaId operation(const NetFormulas::Node& node,
                                    const std::map<NetNodeId, logic::FormulaId>& made,
                                    logic::FormulaPool& pool) {
    const auto operand = [&](std::size_t i) { return made.at(node.operands[i]); };
    switch (node.op) {
      case Op::EX:
        return pool.unary(logic::Op::EX, operand(0));
      case Op::AX:
        return pool.unary(logic::Op::AX, operand(0));
      case Op::EU:
        return pool.binary(logic::Op::EU, operand(0), operand(1));
      case Op::AU:
        return pool.binary(logic::Op::AU, operand(0), operand(1));
      case Op::EW:
        return pool.binary(logic::Op::EW, operand(0), operand(1));
      case Op::AW:
        return pool.binary(logic::Op::AW, operand(0), operand(1));
      default:
        break;
    }
    logic::FormulaId joined = operand(0);
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      joined = pool.binary(logic_op(node.op), joined, operand(i));
    }
    return joined;
  }

  std::shared_ptr<const NetStates> states_;
  NetStages stages_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<std::uint32_t>, std::weak_ptr<SymbolicChecker>> checkers_;
};

}  // namespace

std::shared_ptr<const logic::Simplifier> make_net_simplifier(
    std::shared_ptr<const NetStates> states, const NetStages& stages) {
  const PetriNet& net = states->net();
  for (const TransitionId t : net.transitions()) {
    if (!net.transition(t).forbidden.empty()) {
      return nullptr;
    }
  }
  return std::make_shared<NetSimplifier>(std::move(states), stages);
}

}  // namespace nestor::net
