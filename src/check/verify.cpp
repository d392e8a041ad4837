// The seven rules of docs/certificates.md, in its order and words. A certificate that obeys them
// is right whoever wrote it: nothing here depends on how it was found.

#include "check/verify.h"

#include "check/certificate_reader.h"
#include "check/path_certificate.h"
#include "logic/normal_form.h"
#include "logic/path_normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace nestor::check {

namespace {

class Verifier : FrameRules {
 public:
  Verifier(const model::Rsm& model, const Certificate& certificate, const logic::FormulaPool& pool)
      : FrameRules(model, certificate),
        c_(certificate),
        pool_(pool),
        item_at_(certificate.formulas.size()) {}

  void verify() {
    check_box_map();
    for (f_ = 0; f_ < c_.formulas.size(); ++f_) {
      if (logic::is_existential(c_.formulas[f_].op)) {
        check_root();
        check_contexts();
        check_equations();
      } else {
        check_propositions_and_connectives();
      }
    }
    check_least_and_greatest();
    check_verdict();
  }

 private:
  using Item = Certificate::Item;
  static constexpr std::uint32_t kGoal = Certificate::kNone;

  /// Calls visit(instance, node, line of the values of f_) for each node of each instance.
  template <class Visit>
  void for_each_node(Visit visit) const {
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const model::NodeId n : component(i).plain_nodes()) {
        visit(i, n, c_.value_lines[i * c_.formulas.size() + f_]);
      }
    }
  }
  bool in_context(std::uint32_t f, Instance i, std::size_t exit) const {
    return c_.contexts[f][c_.instances[i].exit + exit] == '1';
  }
  /// v(I,m,f): that of a plain node in I, that of the entry in the box's instance for a call node.
  bool v(Instance i, model::NodeId m, std::uint32_t f) const {
    if (model_.kind(m) == model::NodeKind::Call) {
      i = callee(i, model_.box_of(m));
      m = model_.origin(m);
    }
    return c_.values[f][node_row(i, m)] == '1';
  }
  bool some_successor(Instance i, model::NodeId n, std::uint32_t f) const {
    const std::span<const model::NodeId> successors = model_.successors(n);
    return std::any_of(successors.begin(), successors.end(),
                       [&](model::NodeId m) { return v(i, m, f); });
  }

  /// 1. Propositions and connectives: values follow from the labels and from the parts.
  void check_propositions_and_connectives() const {
    const Certificate::Subformula& f = c_.formulas[f_];
    const std::string has = f.op == logic::Op::Atom ? labelled(pool_, f.id) : std::string();
    for_each_node([&](Instance i, model::NodeId n, std::uint32_t line) {
      bool right = true;
      if (f.op == logic::Op::Atom) {
        right = has[n.value()] == '1';
      } else if (f.op == logic::Op::Not) {
        right = !v(i, n, f.left);
      } else if (f.op == logic::Op::Or) {
        right = v(i, n, f.left) || v(i, n, f.right);
      } else if (f.op == logic::Op::And) {
        right = v(i, n, f.left) && v(i, n, f.right);
      }
      require(v(i, n, f_) == right, line, "rule 1: the value does not follow", i, n);
    });
  }

  /// 2. Root: its contexts are, for EU empty, for EG all exits, for EX φ the exits where φ has
  /// value 1.
  void check_root() const {
    const Certificate::Subformula& f = c_.formulas[f_];
    const std::span<const model::NodeId> exits = model_.exits(c_.instances[0].component);
    for (std::size_t x = 0; x < exits.size(); ++x) {
      const bool right = f.op == logic::Op::EG || (f.op == logic::Op::EX && v(0, exits[x], f.left));
      require(in_context(f_, 0, x) == right, c_.context_lines[f_],
              "rule 2: the root's context is wrong", 0, exits[x]);
    }
  }

  /// 3. Contexts: for every instance I, box b, callee instance J, exit x: x is in J's context for f
  /// exactly when ret(I,b,x,f): some successor of (b,x) has f (for EX φ: φ); for EG also when (b,x)
  /// has no successors and the exit x has no local ones.
  void check_contexts() const {
    const Certificate::Subformula& f = c_.formulas[f_];
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const model::BoxId b : component(i).boxes()) {
        const Instance j = callee(i, b);
        for (const model::NodeId r : model_.box(b).return_nodes()) {
          const bool ends =
              model_.successors(r).empty() && model_.successors(model_.origin(r)).empty();
          const bool ret = some_successor(i, r, f.op == logic::Op::EX ? f.left : f_) ||
                           (f.op == logic::Op::EG && ends);
          require(in_context(f_, j, r - model_.box(b).first_return) == ret,
                  c_.context_lines[j * c_.formulas.size() + f_],
                  "rule 3: the context is not what follows the return", i, r);
        }
      }
    }
  }

  /// 4. Equations: with some(I,n) = some local successor m has v = 1, or n is an exit in the
  /// context for f: EX φ: value = some (with φ for the local successors). E φ U ψ: value = ψ or (φ
  /// and some). EG φ: value = φ and (some, or n is no exit and has no successors).
  void check_equations() const {
    const Certificate::Subformula& f = c_.formulas[f_];
    for_each_node([&](Instance i, model::NodeId n, std::uint32_t line) {
      const bool exit = model_.is_exit(n);
      const bool some = some_successor(i, n, f.op == logic::Op::EX ? f.left : f_) ||
                        (exit && in_context(f_, i, model_.exit_index(n)));
      bool right = some;
      if (f.op == logic::Op::EU) {
        right = v(i, n, f.right) || (v(i, n, f.left) && some);
      } else if (f.op == logic::Op::EG) {
        right = v(i, n, f.left) && (some || (!exit && model_.successors(n).empty()));
      }
      require(v(i, n, f_) == right, line, "rule 4: the value does not solve the equation", i, n);
    });
  }

  std::uint64_t key(Instance i, model::NodeId point, std::uint32_t target) const {
    return std::uint64_t{point_row(i, point)} << 32 | target;
  }
  /// What is said of a point, and of a target if it is a fact, with a smaller rank than `above`.
  const Item* find_smaller(const Item& above, Instance i, model::NodeId p,
                           std::uint32_t target) const {
    const auto found = item_at_[above.formula].find(key(i, p, target));
    const bool there = found != item_at_[above.formula].end();
    return there && c_.items[found->second].rank < above.rank ? &c_.items[found->second] : nullptr;
  }

  /// 5. EU is least, 6. EG is greatest: each item of the certificate follows from those with
  /// smaller ranks, and there is one for every value that needs one.
  void check_least_and_greatest() {
    std::vector<std::size_t> count(c_.formulas.size());
    for (const Item& item : c_.items) {
      ++count[item.formula];
    }
    for (std::uint32_t f = 0; f < c_.formulas.size(); ++f) {
      item_at_[f].reserve(count[f]);
    }
    for (std::uint32_t k = 0; k < c_.items.size(); ++k) {
      const Item& item = c_.items[k];
      const bool is_new =
          item_at_[item.formula].emplace(key(item.instance, item.point, item.target), k).second;
      require(is_new, item.line, "the same said a second time", item.instance, item.point);
    }
    const auto last = static_cast<Instance>(c_.instances.size() - 1);
    std::vector<std::string> proved(c_.formulas.size());  // by formula, by point row: '0' or '1'
    for (std::size_t f = 0; f < c_.formulas.size(); ++f) {
      if (c_.formulas[f].op == logic::Op::EU || c_.formulas[f].op == logic::Op::EG) {
        proved[f].assign(c_.instances[last].point + component(last).nodes().size(), '0');
      }
    }
    for (const Item& item : c_.items) {
      const bool is_fact = c_.formulas[item.formula].op == logic::Op::EU;
      if (is_fact) {
        check_fact(item);
      } else {
        check_dead(item);
      }
      if (item.target == kGoal || in_context(item.formula, item.instance, item.target)) {
        proved[item.formula][point_row(item.instance, item.point)] = '1';
      }
    }
    for (f_ = 0; f_ < c_.formulas.size(); ++f_) {
      if (!proved[f_].empty()) {
        check_nodes_proved(proved[f_]);
        check_return_points_proved(proved[f_]);
      }
    }
  }

  void check_nodes_proved(std::string_view proved) const {
    const Certificate::Subformula& f = c_.formulas[f_];
    for_each_node([&](Instance i, model::NodeId n, std::uint32_t line) {
      const bool is_proved = proved[point_row(i, n)] == '1';
      // Every node with value 1 has a fact n → goal, or a fact n → x with x in the context.
      require(f.op != logic::Op::EU || is_proved || !v(i, n, f_), line,
              "rule 5: no fact for a node with value 1", i, n);
      // Every node with value 0 where φ has value 1 has a rank and a set reach of exits.
      require(f.op != logic::Op::EG || is_proved || v(i, n, f_) || !v(i, n, f.left), line,
              "rule 6: no rank for a node with value 0", i, n);
    });
  }

  /// Where those go on that leave the instance of a box: from one return point a path may lead to
  /// the next by calls alone, and so never meet a node of this instance.
  void check_return_points_proved(std::string_view proved) const {
    const Certificate::Subformula& f = c_.formulas[f_];
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const model::BoxId b : component(i).boxes()) {
        const Instance j = callee(i, b);
        const std::uint32_t line = c_.context_lines[j * c_.formulas.size() + f_];
        for (const model::NodeId r : model_.box(b).return_nodes()) {
          const model::NodeId exit = model_.origin(r);
          const std::uint32_t x = r - model_.box(b).first_return;
          if (proved[point_row(i, r)] == '1') {
            continue;
          }
          // So has every return point (b,x) with x in the context and the fact x → x there, unless
          // a successor that is a plain node has value 1.
          require(f.op != logic::Op::EU || !in_context(f_, j, x) ||
                      item_at_[f_].count(key(j, exit, x)) == 0 ||
                      some_successor_of_kind(model::NodeKind::Plain, i, r, f_),
                  line, "rule 5: no fact for a return point of an exit in the context", i, r);
          // So does every return point (b,x) where x has value 0 and φ, if a successor is a call
          // with φ at the entry.
          require(f.op != logic::Op::EG || v(j, exit, f_) || !v(j, exit, f.left) ||
                      !some_successor_of_kind(model::NodeKind::Call, i, r, f.left),
                  line, "rule 6: no rank for a return point of an exit with value 0", i, r);
        }
      }
    }
  }
  bool some_successor_of_kind(model::NodeKind kind, Instance i, model::NodeId n,
                              std::uint32_t f) const {
    const std::span<const model::NodeId> successors = model_.successors(n);
    return std::any_of(successors.begin(), successors.end(),
                       [&](model::NodeId m) { return model_.kind(m) == kind && v(i, m, f); });
  }

  /// 5. Facts say how far a φ-path leads, each with a rank and a choice.
  void check_fact(const Item& fact) const {
    const Instance i = fact.instance;
    const model::NodeId p = fact.point;
    const bool is_node = model_.kind(p) == model::NodeKind::Plain;
    const bool phi = is_node && v(i, p, c_.formulas[fact.formula].left);
    const auto expect = [&](bool condition, const char* why) {
      require(condition, fact.line, why, i, p);
    };
    if (fact.choice == Certificate::kNone) {
      // n → goal where ψ has value 1 at the node n; x → x where φ has value 1 at the exit x.
      expect(is_node && (fact.target == kGoal
                             ? v(i, p, c_.formulas[fact.formula].right)
                             : phi && model_.is_exit(p) && model_.exit_index(p) == fact.target),
             "rule 5: the fact is not true here");
      return;
    }
    // p → t, with φ at p if it is a node, by a plain successor m: the fact m → t has a smaller
    // rank.
    expect(phi || !is_node, "rule 5: a fact at a node without φ");
    const model::NodeId m = model_.successors(p)[fact.choice];
    if (model_.kind(m) == model::NodeKind::Plain) {
      expect(find_smaller(fact, i, m, fact.target) != nullptr,
             "rule 5: the successor has no such fact with a smaller rank");
      return;
    }
    // p → t likewise by a call successor (b,en): t is goal and the fact en → goal in the box's
    // instance has a smaller rank; or the fact en → y there and the fact (b,y) → t here both have.
    const model::BoxId b = model_.box_of(m);
    const bool returns = fact.through != Certificate::kNone;
    expect(returns || fact.target == kGoal, "rule 5: an exit is reached only by returning");
    expect(find_smaller(fact, callee(i, b), model_.origin(m), returns ? fact.through : kGoal),
           "rule 5: the callee's entry has no such fact with a smaller rank");
    expect(
        !returns || find_smaller(fact, i, model_.box(b).first_return + fact.through, fact.target),
        "rule 5: the return point has no such fact with a smaller rank");
  }

  /// 6. The rank is greater than those of all that φ-paths go on to, and reach contains theirs.
  void check_dead(const Item& dead) {
    const Instance i = dead.instance;
    const auto expect = [&](bool condition, const char* why) {
      require(condition, dead.line, why, i, dead.point);
    };
    const auto reach_of = [&](const Item& item) {
      return std::span<const std::uint32_t>(c_.reaches)
          .subspan(item.reach_begin, item.reach_end - item.reach_begin);
    };
    // in_reach_[x] = mark_ for each x in reach: no need to clear it for the next one.
    ++mark_;
    in_reach_.resize(std::max(in_reach_.size(), model_.exits(c_.instances[i].component).size()));
    for (const std::uint32_t x : reach_of(dead)) {
      in_reach_[x] = mark_;
    }
    const auto smaller = [&](Instance j, model::NodeId p) {
      const Item* found = find_smaller(dead, j, p, kGoal);
      expect(found != nullptr, "rule 6: a successor has no smaller rank");
      return reach_of(*found);
    };
    const auto contains = [&](std::span<const std::uint32_t> reach) {
      return std::all_of(reach.begin(), reach.end(),
                         [&](std::uint32_t x) { return in_reach_[x] == mark_; });
    };
    // For a node that is an exit, reach contains it.
    expect(!model_.is_exit(dead.point) || in_reach_[model_.exit_index(dead.point)] == mark_,
           "rule 6: 'reach' lacks the exit itself");
    for (const model::NodeId m : model_.successors(dead.point)) {
      if (!v(i, m, c_.formulas[dead.formula].left)) {
        continue;
      }
      if (model_.kind(m) == model::NodeKind::Plain) {
        // Plain with φ: reach contains its reach, the rank is greater than its.
        expect(contains(smaller(i, m)), "rule 6: 'reach' lacks an exit of a successor");
        continue;
      }
      // Call (b,en) with φ at the entry: the rank is greater than the entry's in the box's
      // instance, and for every exit x in the entry's reach: the rank is greater than that of the
      // return point (b,x), and reach contains its reach.
      const model::BoxId b = model_.box_of(m);
      for (const std::uint32_t x : smaller(callee(i, b), model_.origin(m))) {
        expect(contains(smaller(i, model_.box(b).first_return + x)),
               "rule 6: 'reach' lacks an exit of a return point");
      }
    }
  }

  /// 7. Verdict: holds exactly when the formula has value 1 at every initial node of the root.
  void check_verdict() const {
    const auto last = static_cast<std::uint32_t>(c_.formulas.size() - 1);
    const std::span<const model::NodeId> initial = model_.initial_nodes();
    if (c_.holds != std::all_of(initial.begin(), initial.end(),
                                [&](model::NodeId n) { return v(0, n, last); })) {
      throw Refusal{c_.verdict_line, "rule 7: the verdict is not what the initial nodes say"};
    }
  }

  const Certificate& c_;
  const logic::FormulaPool& pool_;
  std::uint32_t f_ = 0;  // the number of the subformula being checked
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> item_at_;  // by formula, by key()
  std::vector<std::uint32_t> in_reach_;  // by exit; see check_dead()
  std::uint32_t mark_ = 0;
};

/// Whether two formulas are the same up to abbreviations.
bool are_same(logic::FormulaPool& pool, logic::FormulaId a, logic::FormulaId b) {
  if (pool.is_ctl(a) && pool.is_ctl(b)) {
    return logic::existential_normal_form(pool, a) == logic::existential_normal_form(pool, b);
  }
  return logic::path_normal_form(pool, a) == logic::path_normal_form(pool, b);
}

}  // namespace

Verification verify(const model::Rsm& model, std::string_view model_hash, base::LineReader& lines,
                    logic::FormulaPool& pool, logic::FormulaId formula) {
  const auto is_about = [&](const CertificateFrame& certificate) {
    if (certificate.model_hash != model_hash) {
      throw Refusal{certificate.model_line, "the certificate is about another model"};
    }
    if (formula.valid() && !are_same(pool, formula, certificate.formulas.back().id)) {
      throw Refusal{certificate.verdict_line, "the certificate is about another formula"};
    }
  };
  try {
    if (certificate_version(lines) == 2) {
      const PathCertificate certificate = read_path_certificate(lines, model, pool);
      is_about(certificate);
      check_path_certificate(model, certificate, pool);
      return {true, certificate.holds, 0, {}};
    }
    const Certificate certificate = read_certificate(lines, model, pool);
    is_about(certificate);
    Verifier(model, certificate, pool).verify();
    return {true, certificate.holds, 0, {}};
  } catch (const Refusal& refusal) {
    return {false, false, refusal.line, refusal.why};
  } catch (const base::Error& error) {
    if (error.kind() != base::Error::Kind::Input) {
      throw;
    }
    return {false, false, lines.line_number(), error.message()};  // damaged beneath the text
  }
}

}  // namespace nestor::check
