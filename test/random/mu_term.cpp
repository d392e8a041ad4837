#include "mu_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nestor::test {

namespace {

using Kind = MuTerm::Kind;
using Restriction = MuTerm::Restriction;

constexpr std::size_t kAtoms = 3;

std::string atom_name(std::size_t atom) {
  return std::string(1, static_cast<char>('a' + atom));
}

class Generator {
 public:
  Generator(base::Random& random, bool backward) : random_(random), backward_(backward) {}

  std::unique_ptr<MuTerm> make(std::size_t depth) {
    auto term = std::make_unique<MuTerm>();
    const std::uint64_t draw = depth == 0 ? 0 : random_.below(20);
    if (draw <= 2) {
      make_leaf(*term);
    } else if (draw <= 3) {
      term->kind = Kind::Not;
      flip();
      term->left = make(depth - 1);
      flip();
    } else if (draw <= 9) {
      term->kind = draw <= 6 ? Kind::And : draw <= 8 ? Kind::Or : Kind::Implies;
      if (term->kind == Kind::Implies) {
        flip();
      }
      term->left = make(depth - 1);
      if (term->kind == Kind::Implies) {
        flip();
      }
      term->right = make(depth - 1);
    } else if (draw <= 14) {
      make_modality(*term, depth);
    } else {
      term->kind = Kind::Fixpoint;
      term->greatest = random_.chance(0.5);
      term->number = positive_.size();
      positive_.push_back(true);
      open_.push_back(term->number);
      term->left = make(depth - 1);
      open_.pop_back();
    }
    return term;
  }

 private:
  void flip() {
    for (const std::size_t variable : open_) {
      positive_[variable] = !positive_[variable];
    }
  }

  void make_leaf(MuTerm& term) {
    std::vector<std::size_t> allowed;
    std::copy_if(open_.begin(), open_.end(), std::back_inserter(allowed),
                 [this](std::size_t variable) { return positive_[variable]; });
    if (!allowed.empty() && random_.chance(0.65)) {
      term.kind = Kind::Variable;
      term.number = allowed[random_.below(allowed.size())];
    } else if (random_.chance(0.1)) {
      term.kind = random_.chance(0.5) ? Kind::True : Kind::False;
    } else {
      term.kind = Kind::Atom;
      term.number = random_.below(kAtoms);
    }
  }

  void make_modality(MuTerm& term, std::size_t depth) {
    term.kind = Kind::Modality;
    term.box = random_.chance(0.5);
    term.backward = backward_ && random_.chance(0.4);
    if (random_.chance(0.3)) {
      term.restriction = random_.chance(0.5) ? Restriction::Only : Restriction::Except;
      term.atoms.push_back(random_.below(kAtoms));
      if (random_.chance(0.3)) {
        term.atoms.push_back(random_.below(kAtoms));
      }
    }
    term.left = make(depth - 1);
  }

  base::Random& random_;
  bool backward_;
  std::vector<bool> positive_;     // by variable: an even number of negations so far
  std::vector<std::size_t> open_;  // the fixpoints around the current place
};

class Evaluator {
 public:
  explicit Evaluator(const LabelledGraph& graph) : graph_(graph) {}

  StateSet evaluate(const MuTerm& term) {
    switch (term.kind) {
      case Kind::True:
      case Kind::False:
        return StateSet(graph_.size(), term.kind == Kind::True);
      case Kind::Atom:
        return graph_.carries[term.number];
      case Kind::Variable:
        return values_[term.number];
      case Kind::Modality:
        return modality(term, evaluate(*term.left));
      case Kind::Fixpoint:
        return fixpoint(term);
      default:
        break;
    }
    StateSet left = evaluate(*term.left);
    const StateSet right = term.right == nullptr ? left : evaluate(*term.right);
    for (std::size_t s = 0; s < left.size(); ++s) {
      left[s] = term.kind == Kind::Not   ? !left[s]
                : term.kind == Kind::And ? left[s] && right[s]
                : term.kind == Kind::Or  ? left[s] || right[s]
                                         : !left[s] || right[s];
    }
    return left;
  }

 private:
  /// Is a transition from this state one that the modality speaks of?
  bool counts(const MuTerm& term, std::size_t source) const {
    const bool carries = std::any_of(term.atoms.begin(), term.atoms.end(), [&](std::size_t atom) {
      return graph_.carries[atom][source];
    });
    return term.restriction == Restriction::None ||
           carries == (term.restriction == Restriction::Only);
  }

  StateSet modality(const MuTerm& term, const StateSet& operand) const {
    StateSet result(graph_.size(), term.box);
    for (std::size_t s = 0; s < graph_.size(); ++s) {
      for (const std::size_t t : term.backward ? graph_.predecessors[s] : graph_.successors[s]) {
        if (counts(term, term.backward ? t : s) && operand[t] != term.box) {
          result[s] = !term.box;
        }
      }
    }
    return result;
  }

  StateSet fixpoint(const MuTerm& term) {
    if (values_.size() <= term.number) {
      values_.resize(term.number + 1);
    }
    values_[term.number].assign(graph_.size(), term.greatest);
    for (;;) {
      StateSet next = evaluate(*term.left);
      if (next == values_[term.number]) {
        return next;
      }
      values_[term.number] = std::move(next);
    }
  }

  const LabelledGraph& graph_;
  std::vector<StateSet> values_;  // of variables
};

}  // namespace

std::unique_ptr<MuTerm> random_mu_term(base::Random& random, const MuTermOptions& options) {
  return Generator(random, options.backward).make(options.depth);
}

std::string to_text(const MuTerm& term) {
  const auto inside = [](const std::unique_ptr<MuTerm>& part) {
    return fmt::format("({})", to_text(*part));
  };
  switch (term.kind) {
    case Kind::True:
      return "tt";
    case Kind::False:
      return "ff";
    case Kind::Atom:
      return atom_name(term.number);
    case Kind::Variable:
      return fmt::format("X{}", term.number);
    case Kind::Not:
      return "!" + inside(term.left);
    case Kind::And:
      return inside(term.left) + " & " + inside(term.right);
    case Kind::Or:
      return inside(term.left) + " | " + inside(term.right);
    case Kind::Implies:
      return inside(term.left) + " => " + inside(term.right);
    case Kind::Fixpoint:
      return fmt::format("{} X{}. {}", term.greatest ? "nu" : "mu", term.number, inside(term.left));
    case Kind::Modality:
      break;
  }
  std::string names;
  for (const std::size_t atom : term.atoms) {
    names += (names.empty() ? "" : " ") + atom_name(atom);
  }
  const char* sign = term.restriction == Restriction::None   ? ""
                     : term.restriction == Restriction::Only ? "@"
                                                             : "\\";
  return fmt::format("{}{}{}{}{}{}", term.backward ? "~" : "", term.box ? '[' : '<', sign, names,
                     term.box ? ']' : '>', inside(term.left));
}

StateSet states_of(const MuTerm& term, const LabelledGraph& graph) {
  return Evaluator(graph).evaluate(term);
}

}  // namespace nestor::test
