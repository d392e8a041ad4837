// The seven rules of docs/certificates.md, in its order and words. A certificate that obeys them
// is right whoever wrote it: nothing here depends on how it was found.

#include "check/verify.h"

#include "check/certificate_reader.h"
#include "logic/normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace nestor {

namespace {

class Verifier {
 public:
  Verifier(const Rsm& model, const Certificate& certificate, const FormulaPool& pool)
      : model_(model), c_(certificate), pool_(pool) {}

  void verify() {
    check_box_map();
    for (formula_ = 0; formula_ < c_.formulas.size(); ++formula_) {
      f_ = c_.formulas[formula_];
      if (is_existential(f_.op)) {
        check_root();
        check_contexts();
        check_equations();
      } else {
        check_propositions_and_connectives();
      }
    }
    check_least();
    check_greatest();
    check_verdict();
  }

 private:
  using Instance = std::uint32_t;

  void require(bool condition, std::uint32_t line, const char* what, Instance i, NodeId n) const {
    if (!condition) {
      throw Refusal{line, fmt::format("{}, in instance {} at {}", what, i, model_.describe(n))};
    }
  }

  const Component& component(Instance i) const {
    return model_.component(c_.instances[i].component);
  }
  /// Calls visit(instance, node) for each node of each instance.
  template <class Visit>
  void for_each_node(Visit visit) const {
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const NodeId n : component(i).plain_nodes()) {
        visit(i, n);
      }
    }
  }
  std::uint32_t value_line(Instance i) const {
    return c_.value_lines[i * c_.formulas.size() + formula_];
  }
  std::uint32_t node_row(Instance i, NodeId n) const {
    return c_.instances[i].first_node + (n - component(i).first_node);
  }
  std::uint32_t point_row(Instance i, NodeId n) const {
    return c_.instances[i].first_point + (n - component(i).first_node);
  }
  Instance callee(Instance i, BoxId b) const {
    return c_.callees[c_.instances[i].first_box + (b - component(i).first_box)];
  }
  bool in_context(std::uint32_t f, Instance i, std::size_t exit) const {
    return c_.contexts[f][c_.instances[i].first_exit + exit] == '1';
  }
  /// v(I,m,f): that of a plain node in I, that of the entry in the box's instance for a call node.
  bool v(Instance i, NodeId m, std::uint32_t f) const {
    if (model_.kind(m) == NodeKind::Call) {
      i = callee(i, model_.box_of(m));
      m = model_.origin(m);
    }
    return c_.values[f][node_row(i, m)] == '1';
  }
  /// Some successor m has v(I,m,f) = 1.
  bool some_successor(Instance i, NodeId n, std::uint32_t f) const {
    const std::span<const NodeId> successors = model_.successors(n);
    return std::any_of(successors.begin(), successors.end(), [&](NodeId m) { return v(i, m, f); });
  }

  /// Each instance says for each of its boxes which instance the callee is; one is the root.
  void check_box_map() const {
    if (c_.instances[0].component != model_.initial_component()) {
      throw Refusal{c_.instances[0].line, "the root is no instance of the initial component"};
    }
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const BoxId b : component(i).boxes()) {
        if (c_.instances[callee(i, b)].component != model_.box(b).callee) {
          throw Refusal{c_.callee_lines[c_.instances[i].first_box + (b - component(i).first_box)],
                        "the box calls another component"};
        }
      }
    }
  }

  /// 1. Propositions and connectives: values follow from the labels and from the parts.
  void check_propositions_and_connectives() const {
    std::string labelled(f_.op == Op::Atom ? model_.node_count() : 0, '0');
    if (f_.op == Op::Atom) {
      const PropId p = model_.find_prop(pool_.atom_name(f_.id));
      for (const NodeId n : p.valid() ? model_.nodes_with(p) : std::span<const NodeId>()) {
        labelled[n.value()] = '1';
      }
    }
    for_each_node([&](Instance i, NodeId n) {
      bool right = true;
      if (f_.op == Op::Atom) {
        right = labelled[n.value()] == '1';
      } else if (f_.op == Op::Not) {
        right = !v(i, n, f_.left);
      } else if (f_.op == Op::Or) {
        right = v(i, n, f_.left) || v(i, n, f_.right);
      } else if (f_.op == Op::And) {
        right = v(i, n, f_.left) && v(i, n, f_.right);
      }
      require(v(i, n, formula_) == right, value_line(i),
              "rule 1: the value does not follow from the labels or the parts", i, n);
    });
  }

  /// 2. Root: its contexts are, for EU empty, for EG all exits, for EX φ the exits where φ has
  /// value 1.
  void check_root() const {
    const std::span<const NodeId> exits = model_.exits(c_.instances[0].component);
    for (std::size_t x = 0; x < exits.size(); ++x) {
      const bool right = f_.op == Op::EG || (f_.op == Op::EX && v(0, exits[x], f_.left));
      require(in_context(formula_, 0, x) == right, c_.context_lines[formula_],
              "rule 2: the root's context is wrong", 0, exits[x]);
    }
  }

  /// 3. Contexts: x is in J's context for f exactly when ret(I,b,x,f): some successor of the return
  /// node (b,x) has f (for EX φ: has φ); for EG also when (b,x) has no successors and the exit x
  /// has no local ones.
  void check_contexts() const {
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const BoxId b : component(i).boxes()) {
        const Instance j = callee(i, b);
        for (const NodeId r : model_.box(b).return_nodes()) {
          const bool ends =
              model_.successors(r).empty() && model_.successors(model_.origin(r)).empty();
          const bool ret = some_successor(i, r, f_.op == Op::EX ? f_.left : formula_) ||
                           (f_.op == Op::EG && ends);
          require(in_context(formula_, j, r - model_.box(b).first_return) == ret,
                  c_.context_lines[j * c_.formulas.size() + formula_],
                  "rule 3: the context is not what follows the return", i, r);
        }
      }
    }
  }

  /// 4. Equations: with some(I,n) = some local successor m has v = 1, or n is an exit in the
  /// context for f: EX φ: value = some (with φ for the local successors). E φ U ψ: value = ψ or (φ
  /// and some). EG φ: value = φ and (some, or n is no exit and has no successors).
  void check_equations() const {
    for_each_node([&](Instance i, NodeId n) {
      const bool exit = model_.is_exit(n);
      const bool some = some_successor(i, n, f_.op == Op::EX ? f_.left : formula_) ||
                        (exit && in_context(formula_, i, model_.exit_index(n)));
      bool right = some;
      if (f_.op == Op::EU) {
        right = v(i, n, f_.right) || (v(i, n, f_.left) && some);
      } else if (f_.op == Op::EG) {
        right = v(i, n, f_.left) && (some || (!exit && model_.successors(n).empty()));
      }
      require(v(i, n, formula_) == right, value_line(i),
              "rule 4: the value does not solve the equation", i, n);
    });
  }

  /// 5. EU is least: facts say how far a φ-path leads, each with a rank and a choice.
  void check_least() {
    fact_at_.resize(c_.formulas.size());
    std::vector<std::string> proved(c_.formulas.size());
    for (std::uint32_t k = 0; k < c_.facts.size(); ++k) {
      const Certificate::Fact& fact = c_.facts[k];
      require(fact_at_[fact.formula].emplace(key(fact.instance, fact.point, fact.target), k).second,
              fact.line, "rule 5: the same fact a second time", fact.instance, fact.point);
    }
    for (const Certificate::Fact& fact : c_.facts) {
      check_fact(fact);
      // What it proves: n → goal, or n → x with x in the context.
      if (model_.kind(fact.point) == NodeKind::Plain &&
          (fact.target == Certificate::kGoal ||
           in_context(fact.formula, fact.instance, fact.target))) {
        proved[fact.formula].resize(c_.values[fact.formula].size(), '0');
        proved[fact.formula][node_row(fact.instance, fact.point)] = '1';
      }
    }
    for (formula_ = 0; formula_ < c_.formulas.size(); ++formula_) {
      if (c_.formulas[formula_].op == Op::EU) {
        proved[formula_].resize(c_.values[formula_].size(), '0');
        for_each_node([&](Instance i, NodeId n) {
          require(!v(i, n, formula_) || proved[formula_][node_row(i, n)] == '1', value_line(i),
                  "rule 5: no fact for a node with value 1", i, n);
        });
      }
    }
  }

  void check_fact(const Certificate::Fact& fact) const {
    const Instance i = fact.instance;
    const std::uint32_t phi = c_.formulas[fact.formula].left;
    const bool is_node = model_.kind(fact.point) == NodeKind::Plain;
    const auto require_here = [&](bool condition, const char* what) {
      require(condition, fact.line, what, i, fact.point);
    };
    const auto is_smaller = [&](Instance j, NodeId p, std::uint32_t target) {
      const auto found = fact_at_[fact.formula].find(key(j, p, target));
      return found != fact_at_[fact.formula].end() && c_.facts[found->second].rank < fact.rank;
    };
    if (fact.choice == Certificate::kHere) {
      // n → goal where ψ has value 1 at the node n; x → x where φ has value 1 at the exit x.
      const bool goal = fact.target == Certificate::kGoal;
      require_here(is_node, "rule 5: 'here' at a return point");
      require_here(goal ? v(i, fact.point, c_.formulas[fact.formula].right)
                        : v(i, fact.point, phi) && model_.is_exit(fact.point) &&
                              model_.exit_index(fact.point) == fact.target,
                   "rule 5: the fact is not true here");
      return;
    }
    // p → t, with φ at p if it is a node, …
    require_here(!is_node || v(i, fact.point, phi), "rule 5: a fact at a node without φ");
    const NodeId m = model_.successors(fact.point)[fact.choice];
    if (model_.kind(m) == NodeKind::Plain) {
      // … by a plain successor m: the fact m → t has a smaller rank;
      require_here(is_smaller(i, m, fact.target), "rule 5: the successor has no smaller fact");
      return;
    }
    // … by a call successor (b,en): t is goal and the fact en → goal in the box's instance has a
    // smaller rank; or the fact en → y there and the fact (b,y) → t here both have smaller ranks.
    const BoxId b = model_.box_of(m);
    const bool returns = fact.through != Certificate::kNone;
    require_here(returns || fact.target == Certificate::kGoal,
                 "rule 5: a call that does not return leads to no exit");
    require_here(is_smaller(callee(i, b), model_.origin(m), fact.through),
                 "rule 5: the callee's entry has no smaller fact");
    require_here(!returns || is_smaller(i, model_.box(b).first_return + fact.through, fact.target),
                 "rule 5: the return point has no smaller fact");
  }

  /// 6. EG is greatest: every node with value 0 where φ has value 1 has a rank and a set reach of
  /// exits, and so does every return point used below.
  void check_greatest() {
    dead_at_.resize(c_.formulas.size());
    for (std::uint32_t k = 0; k < c_.dead.size(); ++k) {
      const Certificate::Dead& dead = c_.dead[k];
      std::vector<std::uint32_t>& at = dead_at_[dead.formula];
      at.resize(std::max<std::size_t>(at.size(), point_row(dead.instance, dead.point) + 1),
                Certificate::kNone);
      std::uint32_t& place = at[point_row(dead.instance, dead.point)];
      require(place == Certificate::kNone, dead.line, "rule 6: a second rank for the same",
              dead.instance, dead.point);
      place = k;
    }
    for (const Certificate::Dead& dead : c_.dead) {
      check_dead(dead);
    }
    for (formula_ = 0; formula_ < c_.formulas.size(); ++formula_) {
      if (c_.formulas[formula_].op == Op::EG) {
        for_each_node([&](Instance i, NodeId n) {
          require(v(i, n, formula_) || !v(i, n, c_.formulas[formula_].left) ||
                      find_dead(formula_, i, n) != nullptr,
                  value_line(i), "rule 6: no rank for a node with value 0", i, n);
        });
      }
    }
  }

  void check_dead(const Certificate::Dead& dead) {
    const Instance i = dead.instance;
    const std::uint32_t phi = c_.formulas[dead.formula].left;
    const auto require_here = [&](bool condition, const char* what) {
      require(condition, dead.line, what, i, dead.point);
    };
    // Marks in reach_ tell in constant time what `reach` contains.
    ++mark_;
    reach_.resize(std::max(reach_.size(), model_.exits(c_.instances[i].component).size()), 0);
    for (const std::uint32_t x : reach_of(dead)) {
      reach_[x] = mark_;
    }
    const auto is_below = [&](Instance j, NodeId p, bool with_reach) {
      const Certificate::Dead* below = find_dead(dead.formula, j, p);
      require_here(below != nullptr && below->rank < dead.rank,
                   "rule 6: a successor has no smaller rank");
      const auto reach = reach_of(*below);
      require_here(!with_reach || std::all_of(reach.begin(), reach.end(),
                                              [&](std::uint32_t x) { return reach_[x] == mark_; }),
                   "rule 6: 'reach' lacks an exit that a successor reaches");
      return reach;
    };
    // For a node that is an exit, reach contains it. For every successor: …
    require_here(!model_.is_exit(dead.point) || reach_[model_.exit_index(dead.point)] == mark_,
                 "rule 6: 'reach' lacks the exit itself");
    for (const NodeId m : model_.successors(dead.point)) {
      if (!v(i, m, phi)) {
        continue;
      }
      if (model_.kind(m) == NodeKind::Plain) {
        // … plain with φ: reach contains its reach, the rank is greater than its.
        is_below(i, m, true);
        continue;
      }
      // … call (b,en) with φ at the entry: the rank is greater than the entry's in the box's
      // instance, and for every exit x in the entry's reach: the rank is greater than that of the
      // return point (b,x), and reach contains its reach.
      const BoxId b = model_.box_of(m);
      for (const std::uint32_t x : is_below(callee(i, b), model_.origin(m), false)) {
        is_below(i, model_.box(b).first_return + x, true);
      }
    }
  }

  /// 7. Verdict: holds exactly when the formula has value 1 at every initial node of the root.
  void check_verdict() const {
    const auto last = static_cast<std::uint32_t>(c_.formulas.size() - 1);
    const std::span<const NodeId> initial = model_.initial_nodes();
    const bool holds =
        std::all_of(initial.begin(), initial.end(), [&](NodeId n) { return v(0, n, last); });
    if (c_.holds != holds) {
      throw Refusal{c_.verdict_line, "rule 7: the verdict is not what the initial nodes say"};
    }
  }

  std::uint64_t key(Instance i, NodeId point, std::uint32_t target) const {
    return std::uint64_t{point_row(i, point)} << 32 | target;
  }
  const Certificate::Dead* find_dead(std::uint32_t f, Instance i, NodeId point) const {
    const std::uint32_t row = point_row(i, point);
    const bool there = row < dead_at_[f].size() && dead_at_[f][row] != Certificate::kNone;
    return there ? &c_.dead[dead_at_[f][row]] : nullptr;
  }
  std::span<const std::uint32_t> reach_of(const Certificate::Dead& dead) const {
    return {c_.reaches.data() + dead.reach_begin, dead.reach_end - dead.reach_begin};
  }

  const Rsm& model_;
  const Certificate& c_;
  const FormulaPool& pool_;
  std::uint32_t formula_ = 0;  // the number of the subformula being checked
  Certificate::Subformula f_;  // and itself
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> fact_at_;  // by formula
  std::vector<std::vector<std::uint32_t>> dead_at_;  // by formula, by point row: into c_.dead
  std::vector<std::uint32_t> reach_;                 // by exit: = mark_ if it is in reach
  std::uint32_t mark_ = 0;
};

}  // namespace

Verification verify(const Rsm& model, std::string_view model_hash, LineReader& lines,
                    FormulaPool& pool, FormulaId formula) {
  try {
    const Certificate certificate = read_certificate(lines, model, pool);
    if (certificate.model_hash != model_hash) {
      throw Refusal{certificate.model_line, "the certificate is about another model"};
    }
    if (formula.valid() && existential_normal_form(pool, formula) !=
                               existential_normal_form(pool, certificate.formulas.back().id)) {
      throw Refusal{certificate.verdict_line, "the certificate is about another formula"};
    }
    Verifier(model, certificate, pool).verify();
    return {true, certificate.holds, 0, {}};
  } catch (const Refusal& refusal) {
    return {false, false, refusal.line, refusal.why};
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::Input) {
      throw;
    }
    return {false, false, lines.line_number(), error.message()};  // damaged beneath the text
  }
}

}  // namespace nestor
