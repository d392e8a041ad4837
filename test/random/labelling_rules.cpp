// Naive on purpose: each rule is one loop over everything, each fixpoint is repeated until nothing
// changes. Nothing here is shared with the engines, the justification or the verifiers.

#include "labelling_rules.h"

#include "logic/normal_form.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

namespace nestor::test {

namespace {

struct Broken {
  std::string what;
};

class Rules {
 public:
  Rules(const model::Rsm& model, const logic::FormulaPool& pool,
        const explain::Labelling& labelling)
      : model_(model), pool_(pool), l_(labelling) {}

  void check() {
    check_shape();
    for (std::size_t s = 0; s < l_.subformulas.size(); ++s) {
      const logic::Formula& f = pool_[l_.subformulas[s]];
      if (!logic::is_existential(f.op)) {
        check_boolean(s, f);
        continue;
      }
      check_root(s, f);
      check_contexts(s, f);
      check_equations(s, f);
      if (f.op == logic::Op::EU) {
        check_least(s, f);
      } else if (f.op == logic::Op::EG) {
        check_greatest(s, f);
      }
    }
  }

 private:
  using Instance = std::uint32_t;
  // A node, plain or return, of an instance.
  struct Point {
    Instance instance = 0;
    model::NodeId node;
    friend auto operator<=>(const Point&, const Point&) = default;
  };

  void require(bool condition, const std::string& rule, std::size_t s, Instance i,
               model::NodeId n = model::NodeId()) const {
    if (!condition) {
      throw Broken{fmt::format("{}: subformula {}, instance {} of {}{}{}", rule, s, i,
                               model_.component_name(component(i)), n.valid() ? ", " : "",
                               n.valid() ? model_.describe(n) : "")};
    }
  }

  model::ComponentId component(Instance i) const { return l_.instances[i].component; }
  Instance callee(Instance i, model::BoxId b) const { return l_.callees[l_.box_row(model_, i, b)]; }
  std::size_t place(logic::FormulaId f) const {
    return static_cast<std::size_t>(std::find(l_.subformulas.begin(), l_.subformulas.end(), f) -
                                    l_.subformulas.begin());
  }
  /// The value at a plain node, or at a call node: the entry's in the box's instance.
  bool v(std::size_t s, Instance i, model::NodeId n) const {
    if (model_.kind(n) == model::NodeKind::Call) {
      i = callee(i, model_.box_of(n));
      n = model_.origin(n);
    }
    return l_.values[s].test(l_.node_row(model_, i, n));
  }
  bool in_context(std::size_t s, Instance i, model::NodeId exit) const {
    return l_.contexts[s].test(l_.exit_row(i, model_.exit_index(exit)));
  }
  /// Some successor has the value.
  bool some(std::size_t s, Instance i, model::NodeId n) const {
    const auto successors = model_.successors(n);
    return std::any_of(successors.begin(), successors.end(),
                       [&](model::NodeId m) { return v(s, i, m); });
  }
  template <class Visit>
  void for_each_node(Visit visit) const {
    for (Instance i = 0; i < l_.instances.size(); ++i) {
      for (const model::NodeId n : model_.component(component(i)).plain_nodes()) {
        visit(i, n);
      }
    }
  }

  void check_shape() const {
    require(component(0) == model_.initial_component(), "the root's component", 0, 0);
    for (Instance i = 0; i < l_.instances.size(); ++i) {
      for (const model::BoxId b : model_.component(component(i)).boxes()) {
        require(callee(i, b) < l_.instances.size(), "a box leads somewhere", 0, i);
        require(component(callee(i, b)) == model_.box(b).callee, "the callee's component", 0, i);
      }
    }
  }

  void check_boolean(std::size_t s, const logic::Formula& f) const {
    for_each_node([&](Instance i, model::NodeId n) {
      bool right = true;
      if (f.op == logic::Op::Atom) {
        const model::PropId p = model_.find_prop(pool_.atom_name(l_.subformulas[s]));
        const auto props = model_.props_of(n);
        right = std::find(props.begin(), props.end(), p) != props.end();
      } else if (f.op == logic::Op::Not) {
        right = !v(place(f.left), i, n);
      } else if (f.op == logic::Op::Or) {
        right = v(place(f.left), i, n) || v(place(f.right), i, n);
      }
      require(v(s, i, n) == right, "rule 1", s, i, n);
    });
  }

  void check_root(std::size_t s, const logic::Formula& f) const {
    for (const model::NodeId x : model_.exits(component(0))) {
      const bool right = f.op == logic::Op::EG || (f.op == logic::Op::EX && v(place(f.left), 0, x));
      require(in_context(s, 0, x) == right, "rule 2", s, 0, x);
    }
  }

  void check_contexts(std::size_t s, const logic::Formula& f) const {
    for (Instance i = 0; i < l_.instances.size(); ++i) {
      for (const model::BoxId b : model_.component(component(i)).boxes()) {
        for (const model::NodeId r : model_.box(b).return_nodes()) {
          const model::NodeId x = model_.origin(r);
          bool right = some(f.op == logic::Op::EX ? place(f.left) : s, i, r);
          if (f.op == logic::Op::EG && model_.successors(r).empty() &&
              model_.successors(x).empty()) {
            right = true;
          }
          require(in_context(s, callee(i, b), x) == right, "rule 3", s, i, r);
        }
      }
    }
  }

  void check_equations(std::size_t s, const logic::Formula& f) const {
    for_each_node([&](Instance i, model::NodeId n) {
      const bool exit = model_.is_exit(n);
      const bool next =
          some(f.op == logic::Op::EX ? place(f.left) : s, i, n) || (exit && in_context(s, i, n));
      const bool phi = v(place(f.left), i, n);
      bool right = next;
      if (f.op == logic::Op::EU) {
        right = v(place(f.right), i, n) || (phi && next);
      } else if (f.op == logic::Op::EG) {
        right = phi && (next || (!exit && model_.successors(n).empty()));
      }
      require(v(s, i, n) == right, "rule 4", s, i, n);
    });
  }

  /// The points of all instances: plain nodes and return nodes.
  std::vector<Point> points() const {
    std::vector<Point> all;
    for (Instance i = 0; i < l_.instances.size(); ++i) {
      for (const model::NodeId n : model_.component(component(i)).nodes()) {
        if (model_.kind(n) != model::NodeKind::Call) {
          all.push_back({i, n});
        }
      }
    }
    return all;
  }

  void check_least(std::size_t s, const logic::Formula& f) const {
    const model::NodeId goal;  // no node
    std::set<std::tuple<Point, model::NodeId>> facts;
    for_each_node([&](Instance i, model::NodeId n) {
      if (v(place(f.right), i, n)) {
        facts.insert({{i, n}, goal});
      }
      if (model_.is_exit(n) && v(place(f.left), i, n)) {
        facts.insert({{i, n}, n});
      }
    });
    const auto reaches = [&](const Point& p, model::NodeId m, model::NodeId target) {
      if (model_.kind(m) == model::NodeKind::Plain) {
        return facts.contains({{p.instance, m}, target});
      }
      const model::BoxId b = model_.box_of(m);
      const Instance j = callee(p.instance, b);
      const Point entry{j, model_.origin(m)};
      if (target == goal && facts.contains({entry, goal})) {
        return true;
      }
      for (const model::NodeId r : model_.box(b).return_nodes()) {
        if (facts.contains({entry, model_.origin(r)}) &&
            facts.contains({{p.instance, r}, target})) {
          return true;
        }
      }
      return false;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const Point& p : points()) {
        if (model_.kind(p.node) == model::NodeKind::Plain &&
            !v(place(f.left), p.instance, p.node)) {
          continue;
        }
        std::vector<model::NodeId> targets{goal};
        const auto exits = model_.exits(component(p.instance));
        targets.insert(targets.end(), exits.begin(), exits.end());
        for (const model::NodeId m : model_.successors(p.node)) {
          for (const model::NodeId target : targets) {
            if (reaches(p, m, target)) {
              changed = facts.insert({p, target}).second || changed;
            }
          }
        }
      }
    }
    for_each_node([&](Instance i, model::NodeId n) {
      bool proved = facts.contains({{i, n}, goal});
      for (const model::NodeId x : model_.exits(component(i))) {
        proved = proved || (in_context(s, i, x) && facts.contains({{i, n}, x}));
      }
      require(proved || !v(s, i, n), "rule 5", s, i, n);
    });
  }

  void check_greatest(std::size_t s, const logic::Formula& f) const {
    const std::size_t phi = place(f.left);
    std::map<Point, std::set<model::NodeId>>
        dead;  // those that have a rank so far, with their reach
    // Adds what a successor asks for; false if that has no rank yet.
    const auto follow = [&](const Point& p, model::NodeId m, std::set<model::NodeId>& reach) {
      if (!v(phi, p.instance, m)) {
        return true;
      }
      std::vector<Point> next{{p.instance, m}};
      if (model_.kind(m) == model::NodeKind::Call) {
        const model::BoxId b = model_.box_of(m);
        const auto entry = dead.find({callee(p.instance, b), model_.origin(m)});
        if (entry == dead.end()) {
          return false;
        }
        next.clear();
        for (const model::NodeId x : entry->second) {
          next.push_back({p.instance, model_.box(b).first_return + model_.exit_index(x)});
        }
      }
      for (const Point& q : next) {
        const auto found = dead.find(q);
        if (found == dead.end()) {
          return false;
        }
        reach.insert(found->second.begin(), found->second.end());
      }
      return true;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const Point& p : points()) {
        const bool plain = model_.kind(p.node) == model::NodeKind::Plain;
        if (dead.contains(p) ||
            (plain && (v(s, p.instance, p.node) || !v(phi, p.instance, p.node)))) {
          continue;
        }
        std::set<model::NodeId> reach;
        if (plain && model_.is_exit(p.node)) {
          reach.insert(p.node);
        }
        const auto successors = model_.successors(p.node);
        if (std::all_of(successors.begin(), successors.end(),
                        [&](model::NodeId m) { return follow(p, m, reach); })) {
          dead.emplace(p, reach);
          changed = true;
        }
      }
    }
    for_each_node([&](Instance i, model::NodeId n) {
      require(v(s, i, n) || !v(phi, i, n) || dead.contains({i, n}), "rule 6", s, i, n);
    });
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  const explain::Labelling& l_;
};

}  // namespace

std::string broken_rule(const model::Rsm& model, const logic::FormulaPool& pool,
                        const explain::Labelling& labelling) {
  try {
    Rules(model, pool, labelling).check();
  } catch (const Broken& broken) {
    return broken.what;
  }
  return {};
}

}  // namespace nestor::test
