// The rules 8 to 15 of docs/certificates.md, in its order and words. A certificate that obeys them
// is right whoever wrote it: nothing here depends on how it was found.

#include "check/path_certificate.h"
#include "check/path_tableau.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <unordered_map>

namespace nestor::check {

namespace {

using logic::Op;
using Exit = PathCertificate::Exit;
using Item = PathCertificate::Item;
using Sets = PathTableau::Sets;

/// What an item is about, of one formula.
struct ItemKey {
  std::uint32_t row = 0;  // of the point
  std::uint32_t state = 0;
  std::uint32_t exit = 0;  // of a target; kGood, kDead
  std::uint32_t exit_state = 0;
  std::uint32_t set = 0;

  static constexpr std::uint32_t kGood = ~std::uint32_t{0};
  static constexpr std::uint32_t kDead = kGood - 1;
  friend bool operator==(const ItemKey&, const ItemKey&) = default;
};

struct ItemKeyHash {
  std::size_t operator()(const ItemKey& key) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t part : {key.row, key.state, key.exit, key.exit_state, key.set}) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

class PathVerifier : FrameRules {
 public:
  PathVerifier(const model::Rsm& model, const PathCertificate& certificate,
               const logic::FormulaPool& pool)
      : FrameRules(model, certificate), c_(certificate), pool_(pool) {}

  void verify() {
    check_box_map();
    check_root();
    check_formulas();
    for (f_ = 0; f_ < c_.formulas.size(); ++f_) {
      check_propositions_and_connectives();
    }
    for (f_ = 0; f_ < c_.formulas.size(); ++f_) {
      if (tableaux_[f_] != nullptr) {
        check_automaton();
      }
    }
    collect_items();
    for (const Item& item : c_.items) {
      f_ = item.formula;
      if (item.is_dead) {
        check_dead(item);
      } else {
        check_fact(item);
      }
    }
    for (f_ = 0; f_ < c_.formulas.size(); ++f_) {
      if (tableaux_[f_] != nullptr) {
        check_values();
        check_contexts();
      }
    }
    check_verdict();
  }

 private:
  static constexpr std::uint32_t kAny = PathCertificate::kNone;

  PathTableau& tableau() const { return *tableaux_[f_]; }
  const std::vector<PathCertificate::State>& states() const { return c_.states[f_]; }
  std::size_t place(Instance i, std::uint32_t f) const { return i * c_.formulas.size() + f; }
  char value(Instance i, model::NodeId plain, std::uint32_t f) const {
    return c_.values[f][node_row(i, plain)];
  }

  /// 8. Root: no box leads to it.
  void check_root() const {
    for (std::size_t b = 0; b < c_.callees.size(); ++b) {
      if (c_.callees[b] == 0) {
        throw Refusal{c_.callee_lines[b], "rule 8: a box leads to the root"};
      }
    }
  }

  /// Path formulas are those with a path operator outside of E. They are not negated, and the last
  /// formula is none.
  void check_formulas() {
    tableaux_.resize(c_.formulas.size());
    for (std::uint32_t f = 0; f < c_.formulas.size(); ++f) {
      const PathCertificate::Subformula& formula = c_.formulas[f];
      const int operands = logic::operand_count(formula.op);
      const bool has_path =
          (operands >= 1 && is_path_[formula.left]) || (operands == 2 && is_path_[formula.right]);
      if (formula.op == Op::Not && has_path) {
        throw Refusal{c_.verdict_line, fmt::format("formula {} negates a path formula", f)};
      }
      is_path_.push_back(formula.op != Op::E && (logic::is_path_operator(formula.op) || has_path));
    }
    if (is_path_.back()) {
      throw Refusal{c_.verdict_line, "the last formula is a path formula"};
    }
    for (std::uint32_t f = 0; f < c_.formulas.size(); ++f) {
      if (c_.formulas[f].op == Op::E) {
        tableaux_[f] = std::make_unique<PathTableau>(c_, is_path_, f);
      }
    }
  }

  /// 9. Propositions and connectives: values follow from the labels and from the parts, as far as
  /// they are said. Path formulas have none.
  void check_propositions_and_connectives() const {
    const PathCertificate::Subformula& f = c_.formulas[f_];
    const std::string has = f.op == Op::Atom ? labelled(pool_, f.id) : std::string();
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      const std::uint32_t line = c_.value_lines[place(i, f_)];
      if (line == 0 || f.op == Op::E) {
        continue;
      }
      if (is_path_[f_]) {
        throw Refusal{line, "rule 9: a path formula has no values"};
      }
      for (const model::NodeId n : component(i).plain_nodes()) {
        char right = '-';
        if (f.op == Op::True || f.op == Op::False) {
          right = f.op == Op::True ? '1' : '0';
        } else if (f.op == Op::Atom) {
          right = has[n.value()];
        } else if (const char left = value(i, n, f.left); f.op == Op::Not) {
          right = left == '-' ? '-' : left == '1' ? '0' : '1';
        } else {
          // The value that decides; else both must have the other one.
          const char deciding = f.op == Op::Or ? '1' : '0';
          const char other = value(i, n, f.right);
          right = left == deciding || other == deciding ? deciding
                  : left == '-' || other == '-'         ? '-'
                                                        : left;
        }
        require(value(i, n, f_) == '-' || value(i, n, f_) == right, line,
                "rule 9: the value does not follow", i, n);
      }
    }
  }

  /// 10. Automaton of E φ: state 0 has the obligation φ and no other. All obligations are formulas
  /// that stand in φ, what was true before are operands of Y and Z or formulas S and T, sets are U
  /// of φ. If φ speaks of the past, no transition leads to state 0.
  void check_automaton() const {
    const auto expect = [&](bool condition, std::uint32_t state, const char* why) {
      if (!condition) {
        throw Refusal{states()[state].line, why};
      }
    };
    const PathTableau& t = tableau();
    expect(t.sets().size() <= PathTableau::kMostSets, 0, "rule 10: more than 64 U");
    expect(states()[0].obligations == std::set{c_.formulas[f_].left} && states()[0].before.empty(),
           0, "rule 10: state 0 is not what the formula asks");
    for (std::uint32_t q = 0; q < states().size(); ++q) {
      const PathCertificate::State& state = states()[q];
      expect(std::ranges::includes(t.closure(), state.obligations), q,
             "rule 10: an obligation does not stand in the path formula");
      expect(std::ranges::includes(t.past(), state.before), q,
             "rule 10: the formula does not ask whether that was true before");
      for (const PathCertificate::Transition& next : state.next) {
        expect(t.past().empty() || next.state != 0, q,
               "rule 10: state 0 is for the first letter only");
        for (const std::uint32_t u : next.sets) {
          expect(c_.formulas[u].op == Op::U && t.closure().contains(u), q,
                 "rule 10: there is no such set");
        }
      }
    }
  }

  ItemKey key(const Item& item) const {
    ItemKey key{point_row(item.instance, item.point), item.state};
    if (item.is_dead) {
      key.exit = ItemKey::kDead;
    } else {
      key.exit = item.to_good ? ItemKey::kGood : item.target.exit;
      key.exit_state = item.to_good ? 0 : item.target.state;
      key.set = item.set;
    }
    return key;
  }

  void collect_items() {
    item_at_.resize(c_.formulas.size());
    for (const Item& item : c_.items) {
      const bool is_new = item_at_[item.formula].emplace(key(item), &item).second;
      require(is_new, item.line, "the same said a second time", item.instance, item.point);
      // Good is what has a way out that is good in the context. The rest of it: is_good().
      if (!item.is_dead && !item.to_good &&
          c_.good_exits[place(item.instance, item.formula)].exits.contains(item.target)) {
        good_by_exit_.emplace(
            std::tuple(item.formula, point_row(item.instance, item.point), item.state));
      }
    }
  }

  const Item* find(const ItemKey& key) const {
    const auto found = item_at_[f_].find(key);
    return found == item_at_[f_].end() ? nullptr : found->second;
  }
  const Item* find_dead(Instance i, model::NodeId p, std::uint32_t state) const {
    return find({point_row(i, p), state, ItemKey::kDead});
  }
  /// A vertex is good if for each set it has a fact to what is good, or one to an exit that is good
  /// in the context.
  bool is_good(Instance i, model::NodeId p, std::uint32_t state) const {
    if (good_by_exit_.contains({f_, point_row(i, p), state})) {
      return true;
    }
    return std::ranges::all_of(tableau().sets(), [&](std::uint32_t set) {
      return find({point_row(i, p), state, ItemKey::kGood, 0, set}) != nullptr;
    });
  }

  /// The letter that is read at a point; for a return point that of the exit.
  PathTableau::Letter letter_at(const Item& item) const {
    const bool is_return = model_.kind(item.point) == model::NodeKind::Return;
    const Instance i = is_return ? callee(item.instance, model_.box_of(item.point)) : item.instance;
    const model::NodeId n = is_return ? model_.origin(item.point) : item.point;
    PathTableau::Letter letter;
    for (const std::uint32_t leaf : tableau().leaves()) {
      require(
          value(i, n, leaf) != '-', item.line,
          item.is_dead ? "rule 14: the letter is not known" : "rule 13: the letter is not known",
          item.instance, item.point);
      letter.push_back(value(i, n, leaf) == '1');
    }
    return letter;
  }

  /// A path ends at a point: without successors, neither those of a return node nor of the exit.
  bool is_dead_end(model::NodeId p) const {
    if (!model_.successors(p).empty()) {
      return false;
    }
    return model_.kind(p) == model::NodeKind::Return ? model_.successors(model_.origin(p)).empty()
                                                     : !model_.is_exit(p);
  }
  /// Under the empty stack an exit has itself for a further successor.
  bool may_stay(Instance i, model::NodeId p) const {
    return i == 0 && model_.kind(p) == model::NodeKind::Plain && model_.is_exit(p);
  }

  /// 13. Facts: a way leads from a point to an exit or to what is good, with the set on it.
  void check_fact(const Item& fact) {
    const Instance i = fact.instance;
    const model::NodeId p = fact.point;
    const auto expect = [&](bool condition, const char* why) {
      require(condition, fact.line, why, i, p);
    };
    expect(fact.set == kAny || std::ranges::binary_search(tableau().sets(), fact.set),
           "rule 13: there is no such set");
    const PathTableau::Letter letter = letter_at(fact);
    if (fact.choice == Item::Choice::Here) {
      expect(!fact.to_good && fact.set == kAny && model_.kind(p) == model::NodeKind::Plain &&
                 model_.is_exit(p) && fact.target == Exit{model_.exit_index(p), fact.state},
             "rule 13: the fact is not true here");
      return;
    }
    if (fact.choice == Item::Choice::End) {
      expect(fact.to_good && is_dead_end(p) && tableau().may_end(letter, fact.state),
             "rule 13: no path that is accepted ends here");
      return;
    }
    expect(tableau().allows(letter, fact.state, fact.transition),
           "rule 13: the letter does not allow the transition");
    const bool is_met = fact.set != kAny && (tableau().sets_of(fact.state, fact.transition) &
                                             tableau().sets_of(std::vector{fact.set})) != 0;
    check_rest(fact, is_met ? kAny : fact.set);
  }

  /// What comes after the step of a fact, where `set` is still to be met.
  void check_rest(const Item& fact, std::uint32_t set) const {
    Instance i = fact.instance;
    const auto expect = [&](bool condition, const char* why) {
      require(condition, fact.line, why, fact.instance, fact.point);
    };
    const auto has_smaller = [&](Instance j, model::NodeId p, std::uint32_t q, bool to_good,
                                 const Exit& target, std::uint32_t with) {
      const Item* found = find({point_row(j, p), q, to_good ? ItemKey::kGood : target.exit,
                                to_good ? 0 : target.state, with});
      return found != nullptr && found->rank < fact.rank;
    };
    std::uint32_t state = states()[fact.state].next[fact.transition].state;
    model::NodeId next = fact.point;
    if (fact.choice == Item::Choice::Stay) {
      expect(may_stay(i, next), "rule 13: a path stays only at an exit of the root");
    } else {
      next = model_.successors(fact.point)[fact.successor];
    }
    if (model_.kind(next) == model::NodeKind::Call) {
      const model::BoxId b = model_.box_of(next);
      const Instance j = callee(i, b);
      expect(fact.returns || fact.to_good, "rule 13: an exit is reached only by returning");
      if (fact.returns) {
        expect(has_smaller(j, model_.origin(next), state, false, fact.through,
                           fact.marked ? set : kAny),
               "rule 13: the callee's entry has no such fact with a smaller rank");
        set = fact.marked ? kAny : set;
        state = fact.through.state;
        next = model_.box(b).first_return + fact.through.exit;
      } else {
        i = j;
        next = model_.origin(next);
      }
    }
    if (fact.arrives) {
      expect(fact.to_good && set == kAny && is_good(i, next, state),
             "rule 13: it does not arrive at what is good");
    } else {
      expect(has_smaller(i, next, state, fact.to_good, fact.target, set),
             "rule 13: what follows has no such fact with a smaller rank");
    }
  }

  /// 14. Dead: no path is accepted that stays, and those that leave do so by `reach`.
  void check_dead(const Item& dead) {
    const Instance i = dead.instance;
    const model::NodeId p = dead.point;
    const auto expect = [&](bool condition, const char* why) {
      require(condition, dead.line, why, i, p);
    };
    expect(is_set(dead.set) &&
               std::ranges::all_of(dead.reach,
                                   [&](const PathCertificate::Reach& reach) {
                                     return std::ranges::all_of(
                                         reach.sets, [&](std::uint32_t u) { return is_set(u); });
                                   }),
           "rule 14: there is no such set");
    const PathTableau::Letter letter = letter_at(dead);
    expect(tableau().is_complete(letter, dead.state),
           "rule 14: the automaton does not go on in every way");
    expect(!is_dead_end(p) || !tableau().may_end(letter, dead.state),
           "rule 14: a path that is accepted ends here");
    if (model_.kind(p) == model::NodeKind::Plain && model_.is_exit(p) && i != 0) {
      expect(reaches(dead, {model_.exit_index(p), dead.state}, 0),
             "rule 14: 'reach' lacks the exit itself");
    }
    for (std::uint32_t t = 0; t < states()[dead.state].next.size(); ++t) {
      if (!tableau().allows(letter, dead.state, t)) {
        continue;
      }
      const Sets sets = tableau().sets_of(dead.state, t);
      const std::uint32_t state = states()[dead.state].next[t].state;
      for (const model::NodeId m : model_.successors(p)) {
        if (model_.kind(m) == model::NodeKind::Plain) {
          check_goes_on(dead, i, m, state, sets, true);
          continue;
        }
        // A call: into it, and after each way out of it.
        const model::BoxId b = model_.box_of(m);
        const Item& entry = check_goes_on(dead, callee(i, b), model_.origin(m), state, sets, false);
        for (const PathCertificate::Reach& reach : entry.reach) {
          check_goes_on(dead, i, model_.box(b).first_return + reach.exit.exit, reach.exit.state,
                        sets | tableau().sets_of(reach.sets), true);
        }
      }
      if (may_stay(i, p)) {
        check_goes_on(dead, i, p, state, sets, true);
      }
    }
  }

  bool is_set(std::uint32_t set) const { return std::ranges::binary_search(tableau().sets(), set); }
  /// Whether `reach` has the exit, with at least these sets.
  bool reaches(const Item& dead, const Exit& exit, Sets sets) const {
    const auto found =
        std::ranges::lower_bound(dead.reach, exit, {}, &PathCertificate::Reach::exit);
    return found != dead.reach.end() && found->exit == exit &&
           (sets & ~tableau().sets_of(found->sets)) == 0;
  }

  /// What follows a dead point is dead, too, of no larger rank; of an equal one only with the same
  /// set, which is not met on the way. In the same instance its `reach` is contained.
  const Item& check_goes_on(const Item& dead, Instance i, model::NodeId p, std::uint32_t state,
                            Sets sets, bool is_same_frame) const {
    const auto expect = [&](bool condition, const char* why) {
      require(condition, dead.line, why, dead.instance, dead.point);
    };
    const Item* next = find_dead(i, p, state);
    expect(next != nullptr, "rule 14: what follows is not dead");
    const Sets missing = tableau().sets_of(std::vector{dead.set});
    expect(next->rank < dead.rank ||
               (next->rank == dead.rank && next->set == dead.set && (sets & missing) == 0),
           "rule 14: the rank does not go down");
    for (const PathCertificate::Reach& reach : next->reach) {
      expect(!is_same_frame || reaches(dead, reach.exit, sets | tableau().sets_of(reach.sets)),
             "rule 14: 'reach' lacks what follows reaches");
    }
    return *next;
  }

  /// 11. Values of E φ: 1 where the node is good in state 0; 0 where it is dead in state 0 and
  /// reaches only exits that are dead in the context.
  void check_values() const {
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      const std::uint32_t line = c_.value_lines[place(i, f_)];
      for (const model::NodeId n : component(i).plain_nodes()) {
        const char said = value(i, n, f_);
        require(said != '1' || is_good(i, n, 0), line, "rule 11: the node is not shown to be good",
                i, n);
        require(said != '0' || is_closed(i, n, 0), line,
                "rule 11: the node is not shown to be dead", i, n);
      }
    }
  }
  bool is_closed(Instance i, model::NodeId p, std::uint32_t state) const {
    const Item* dead = find_dead(i, p, state);
    const std::set<Exit>& exits = c_.dead_exits[place(i, f_)].exits;
    return dead != nullptr &&
           std::ranges::all_of(dead->reach, [&](const PathCertificate::Reach& reach) {
             return exits.contains(reach.exit);
           });
  }

  /// 12. Contexts: those of the root are empty. After an exit that is good in the context of an
  /// instance, the return point of each box that leads there is good; after one that is dead, it is
  /// dead and reaches only exits that are dead in its context.
  void check_contexts() const {
    for (const PathCertificate::Context* context :
         {&c_.good_exits[place(0, f_)], &c_.dead_exits[place(0, f_)]}) {
      if (!context->exits.empty()) {
        throw Refusal{context->line, "rule 12: the root has a context"};
      }
    }
    for (Instance i = 0; i < c_.instances.size(); ++i) {
      for (const model::BoxId b : component(i).boxes()) {
        const Instance j = callee(i, b);
        const PathCertificate::Context& good = c_.good_exits[place(j, f_)];
        for (const Exit& x : good.exits) {
          const model::NodeId r = model_.box(b).first_return + x.exit;
          require(is_good(i, r, x.state), good.line, "rule 12: the return point is not good", i, r);
        }
        const PathCertificate::Context& dead = c_.dead_exits[place(j, f_)];
        for (const Exit& x : dead.exits) {
          const model::NodeId r = model_.box(b).first_return + x.exit;
          require(is_closed(i, r, x.state), dead.line, "rule 12: the return point is not dead", i,
                  r);
        }
      }
    }
  }

  /// 15. Verdict: holds if the formula has value 1 at every initial node of the root, fails if it
  /// has value 0 at one.
  void check_verdict() const {
    const auto last = static_cast<std::uint32_t>(c_.formulas.size() - 1);
    const auto is = [&](char said) {
      return [this, last, said](model::NodeId n) { return value(0, n, last) == said; };
    };
    const std::span<const model::NodeId> initial = model_.initial_nodes();
    if (!(c_.holds ? std::ranges::all_of(initial, is('1'))
                   : std::ranges::any_of(initial, is('0')))) {
      throw Refusal{c_.verdict_line, "rule 15: the verdict is not what the initial nodes say"};
    }
  }

  const PathCertificate& c_;
  const logic::FormulaPool& pool_;
  std::uint32_t f_ = 0;        // the number of the subformula being checked
  std::vector<bool> is_path_;  // by formula
  std::vector<std::unique_ptr<PathTableau>> tableaux_;  // by formula: of those with E
  std::vector<std::unordered_map<ItemKey, const Item*, ItemKeyHash>> item_at_;  // by formula
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> good_by_exit_;
};

}  // namespace

void check_path_certificate(const model::Rsm& model, const PathCertificate& certificate,
                            const logic::FormulaPool& pool) {
  PathVerifier(model, certificate, pool).verify();
}

}  // namespace nestor::check
