// What the state equation excludes, down through a formula, after
//   [Bøn18] F. M. Bønneland, J. Dyhr, P. G. Jensen, M. Johannsen, J. Srba: Simplification of CTL
//           formulae for efficient model checking of Petri nets.  PETRI NETS 2018.
//
// A reachable marking is M = M0 + C x for some x >= 0 and M >= 0. Whether it can satisfy
// comparisons k_i M + c_i <= 0 is a linear program: the least t >= 0 with k_i M + c_i <= t.
//
// The solver computes with rounding errors, so it is not believed. If its t is positive, its dual
// solution gives numbers l_i >= 0 and a weight w of the places with w <= sum l_i k_i. These are
// made integers and tested exactly: if no firing makes the weight of the marking smaller (w C >= 0)
// and w M0 + sum l_i c_i > 0, then sum l_i (k_i M + c_i) >= w M + sum l_i c_i > 0 for every
// reachable M, and not all comparisons can hold in it.

#include "net/state_equation.h"

#ifdef NESTOR_GLPK_NAME
#include "net/glpk_library.h"
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace nestor::net {

#ifdef NESTOR_GLPK_NAME

namespace {

using Op = NetFormulas::Op;
__extension__ using Wide = __int128;

constexpr std::size_t kMostPrograms = 300;  // for one formula
constexpr std::size_t kMostCases = 24;      // of one subformula
constexpr std::size_t kMostArcs = 60'000;
constexpr int kMostIterations = 20'000;
constexpr double kMostDual = 1e6;
constexpr double kShare = 0.5;  // of the seconds, for all programs of one formula

/// The matrix C by column, each effect once.
struct Effects {
  explicit Effects(const PetriNet& net) {
    std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>, bool> known;
    for (const TransitionId t : net.transitions()) {
      std::map<std::uint32_t, std::int64_t> effect;
      for (const PetriNet::Arc& arc : net.transition(t).inputs) {
        effect[arc.place.value()] -= arc.weight;
      }
      for (const PetriNet::Arc& arc : net.transition(t).outputs) {
        effect[arc.place.value()] += arc.weight;
      }
      std::erase_if(effect, [](const auto& change) { return change.second == 0; });
      if (!effect.empty() && known.try_emplace({effect.begin(), effect.end()}, true).second) {
        columns.emplace_back(effect.begin(), effect.end());
      }
    }
  }
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> columns;
};

class StateEquation {
 public:
  StateEquation(const GlpkLibrary& glpk, const PetriNet& net, const base::Limits& limits,
                base::LimitGuard& guard)
      : glpk_(glpk),
        net_(net),
        guard_(guard),
        effects_(net),
        seconds_(limits.seconds),
        now_(limits.now),
        problem_(nullptr, glpk.delete_prob) {
    if (seconds_) {
      end_ = now_() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(kShare * *seconds_));
    }
  }

  StateEquation(const StateEquation&) = delete;
  StateEquation& operator=(const StateEquation&) = delete;
  ~StateEquation() {
    problem_.reset();
    glpk_.free_env();  // what GLPK keeps for this thread
  }

  bool is_exhausted() const { return programs_ >= kMostPrograms || (seconds_ && now_() >= end_); }

  /// True if it is proved that no reachable marking satisfies all of the comparisons.
  bool excludes(const std::vector<AtMostZero>& comparisons) {
    const bool holds_now =
        std::ranges::all_of(comparisons, [&](const AtMostZero& c) { return initial_sum(c) <= 0; });
    if (comparisons.empty() || holds_now || is_exhausted()) {
      return false;
    }
    const auto known = known_.find(comparisons);
    if (known != known_.end()) {
      return known->second;
    }
    ++programs_;
    const bool result = solve(comparisons);
    known_[comparisons] = result;
    return result;
  }

 private:
  std::int64_t initial_sum(const AtMostZero& comparison) const {
    std::int64_t sum = comparison.constant;
    for (const AtMostZero::Term& term : comparison.terms) {
      sum += term.factor * net_.place(term.place).tokens;
    }
    return sum;
  }

  // GLPK counts rows and columns from 1: the places, then the comparisons; the effects, then t.
  void make_problem() {
    glpk_.term_out(GLP_OFF);
    problem_.reset(glpk_.create_prob());
    glpk_.set_obj_dir(problem_.get(), GLP_MIN);
    const int places = static_cast<int>(net_.place_count());
    if (places > 0) {
      glpk_.add_rows(problem_.get(), places);
    }
    for (const PlaceId p : net_.places()) {
      glpk_.set_row_bnds(problem_.get(), static_cast<int>(p.value()) + 1, GLP_LO,
                         -static_cast<double>(net_.place(p).tokens), 0);
    }
    last_ = static_cast<int>(effects_.columns.size()) + 1;
    glpk_.add_cols(problem_.get(), last_);
    for (int j = 1; j < last_; ++j) {
      std::vector<int> rows = {0};
      std::vector<double> values = {0};
      for (const auto& [place, change] : effects_.columns[static_cast<std::size_t>(j - 1)]) {
        rows.push_back(static_cast<int>(place) + 1);
        values.push_back(static_cast<double>(change));
      }
      glpk_.set_mat_col(problem_.get(), j, static_cast<int>(rows.size()) - 1, rows.data(),
                        values.data());
      glpk_.set_col_bnds(problem_.get(), j, GLP_LO, 0, 0);
    }
    glpk_.set_col_bnds(problem_.get(), last_, GLP_LO, 0, 0);
    glpk_.set_obj_coef(problem_.get(), last_, 1);
  }

  /// Row of a comparison: (k C) x - t <= -(k M0 + c).
  void set_comparison(int row, const AtMostZero& comparison) {
    std::map<std::uint32_t, std::int64_t> factors;
    for (const AtMostZero::Term& term : comparison.terms) {
      factors[term.place.value()] = term.factor;
    }
    std::vector<int> columns = {0};
    std::vector<double> values = {0};
    for (int j = 1; j < last_; ++j) {
      std::int64_t value = 0;
      for (const auto& [place, change] : effects_.columns[static_cast<std::size_t>(j - 1)]) {
        const auto factor = factors.find(place);
        value += factor == factors.end() ? 0 : factor->second * change;
      }
      if (value != 0) {
        columns.push_back(j);
        values.push_back(static_cast<double>(value));
      }
    }
    columns.push_back(last_);
    values.push_back(-1);
    glpk_.set_mat_row(problem_.get(), row, static_cast<int>(columns.size()) - 1, columns.data(),
                      values.data());
    glpk_.set_row_bnds(problem_.get(), row, GLP_UP, 0,
                       -static_cast<double>(initial_sum(comparison)));
  }

  bool solve(const std::vector<AtMostZero>& comparisons) {
    if (problem_ == nullptr) {
      make_problem();
    }
    const int places = static_cast<int>(net_.place_count());
    const int count = static_cast<int>(comparisons.size());
    glpk_.add_rows(problem_.get(), count);
    int worst = 0;
    for (int i = 0; i < count; ++i) {
      set_comparison(places + 1 + i, comparisons[static_cast<std::size_t>(i)]);
      worst = initial_sum(comparisons[static_cast<std::size_t>(i)]) >
                      initial_sum(comparisons[static_cast<std::size_t>(worst)])
                  ? i
                  : worst;
    }
    // Nothing fires, and t is what the worst comparison needs: that is feasible.
    glpk_.std_basis(problem_.get());
    glpk_.set_row_stat(problem_.get(), places + 1 + worst, GLP_NU);
    glpk_.set_col_stat(problem_.get(), last_, GLP_BS);
    glp_smcp how;
    glpk_.init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.it_lim = kMostIterations;
    if (seconds_) {
      const std::chrono::duration<double, std::milli> left = end_ - now_();
      how.tm_lim = std::max(1, static_cast<int>(left.count() / 2));
    }
    const int before = glpk_.get_it_cnt(problem_.get());
    const bool solved = glpk_.simplex(problem_.get(), &how) == 0 &&
                        glpk_.get_status(problem_.get()) == GLP_OPT &&
                        glpk_.get_obj_val(problem_.get()) > 1e-7;
    const int iterations = glpk_.get_it_cnt(problem_.get()) - before;
    const bool proved = solved && is_proof(comparisons);
    std::vector<int> rows = {0};
    for (int i = 0; i < count; ++i) {
      rows.push_back(places + 1 + i);
    }
    glpk_.del_rows(problem_.get(), count, rows.data());
    // Each iteration goes over the matrix.
    guard_.tick(static_cast<std::size_t>(iterations + 1) * (effects_.columns.size() / 16 + 1));
    return proved;
  }

  bool is_proof(const std::vector<AtMostZero>& comparisons) const {
    const int places = static_cast<int>(net_.place_count());
    std::vector<double> y;
    std::vector<double> l;
    double least = kMostDual;
    for (int p = 1; p <= places; ++p) {
      y.push_back(std::max(0.0, glpk_.get_row_dual(problem_.get(), p)));
    }
    for (int i = 1; i <= static_cast<int>(comparisons.size()); ++i) {
      l.push_back(std::max(0.0, -glpk_.get_row_dual(problem_.get(), places + i)));
    }
    for (const auto* values : {&y, &l}) {
      for (const double value : *values) {
        least = value > 1e-9 ? std::min(least, value) : least;
      }
    }
    constexpr std::array<double, 14> kScales = {1,  2,  3,  4,   5,   6,   8,
                                                12, 24, 60, 120, 360, 840, 27720};
    for (const double unit : {1.0, 1 / least}) {
      for (const double scale : kScales) {
        if (is_proof(comparisons, y, l, unit * scale)) {
          return true;
        }
      }
    }
    return false;
  }

  /// The exact test.
  bool is_proof(const std::vector<AtMostZero>& comparisons, const std::vector<double>& y,
                const std::vector<double>& l, double scale) const {
    std::vector<std::int64_t> weight(net_.place_count());
    Wide sum = 0;
    for (std::size_t p = 0; p < y.size(); ++p) {
      if (y[p] * scale > kMostDual * kMostDual) {
        return false;
      }
      weight[p] = -std::llround(y[p] * scale);
    }
    for (std::size_t i = 0; i < l.size(); ++i) {
      if (l[i] * scale > kMostDual * kMostDual) {
        return false;
      }
      const std::int64_t factor = std::llround(l[i] * scale);
      sum += static_cast<Wide>(factor) * comparisons[i].constant;
      for (const AtMostZero::Term& term : comparisons[i].terms) {
        const Wide more = static_cast<Wide>(factor) * term.factor;
        if (more > Wide{1} << 60 || more < -(Wide{1} << 60)) {
          return false;
        }
        weight[term.place.value()] += static_cast<std::int64_t>(more);
        if (std::abs(weight[term.place.value()]) > std::int64_t{1} << 61) {
          return false;
        }
      }
    }
    for (const auto& column : effects_.columns) {
      Wide change = 0;
      for (const auto& [place, effect] : column) {
        change += static_cast<Wide>(weight[place]) * effect;
      }
      if (change < 0) {
        return false;
      }
    }
    for (const PlaceId p : net_.places()) {
      sum += static_cast<Wide>(weight[p.value()]) * net_.place(p).tokens;
    }
    return sum > 0;
  }

  const GlpkLibrary& glpk_;
  const PetriNet& net_;
  base::LimitGuard& guard_;
  Effects effects_;
  std::optional<double> seconds_;
  base::Limits::Clock now_;
  std::chrono::steady_clock::time_point end_;
  std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> problem_;
  int last_ = 0;  // column of t
  std::size_t programs_ = 0;
  std::map<std::vector<AtMostZero>, bool> known_;
};

/// Tries to show that a formula has no marking, case by case: of a disjunction each operand in
/// turn.
class Refuter {
 public:
  Refuter(StateEquation& equation, const NetFormulas& formulas)
      : equation_(equation), formulas_(formulas) {}

  /// No reachable marking gives `f` the value wanted.
  bool excludes(NetNodeId f, bool wanted) {
    cases_ = 0;
    return refute({}, {{f, wanted}});
  }

 private:
  using Claim = std::pair<NetNodeId, bool>;

  bool refute(std::vector<AtMostZero> comparisons, std::vector<Claim> claims) {
    std::vector<Claim> choices;
    while (!claims.empty()) {
      const auto [f, wanted] = claims.back();
      claims.pop_back();
      const NetFormulas::Node& node = formulas_[f];
      if (node.op == Op::Atom) {
        comparisons.push_back(wanted ? formulas_.comparison(f) : negated(formulas_.comparison(f)));
      } else if (node.op == Op::True || node.op == Op::False) {
        if ((node.op == Op::True) != wanted) {
          return true;
        }
      } else if (node.op == (wanted ? Op::And : Op::Or)) {
        for (const NetNodeId g : node.operands) {
          claims.emplace_back(g, wanted);
        }
      } else if (node.op == Op::And || node.op == Op::Or) {
        choices.emplace_back(f, wanted);
      }
    }
    std::ranges::sort(comparisons);
    comparisons.erase(std::unique(comparisons.begin(), comparisons.end()), comparisons.end());
    if (++cases_ > kMostCases || equation_.is_exhausted()) {
      return false;
    }
    if (equation_.excludes(comparisons)) {
      return true;
    }
    if (choices.empty()) {
      return false;
    }
    const auto [choice, wanted] = *std::ranges::min_element(
        choices, {}, [&](const Claim& claim) { return formulas_[claim.first].operands.size(); });
    std::erase(choices, Claim(choice, wanted));
    for (const NetNodeId g : formulas_[choice].operands) {
      std::vector<Claim> next = choices;
      next.emplace_back(g, wanted);
      if (!refute(comparisons, std::move(next))) {
        return false;
      }
    }
    return true;
  }

  StateEquation& equation_;
  const NetFormulas& formulas_;
  std::size_t cases_ = 0;
};

}  // namespace

NetNodeId simplify_by_state_equation(const PetriNet& net, NetFormulas& formulas, NetNodeId root,
                                     const base::Limits& limits, base::LimitGuard& guard) {
  std::size_t arcs = 0;
  for (const TransitionId t : net.transitions()) {
    arcs += net.transition(t).inputs.size() + net.transition(t).outputs.size();
  }
  const GlpkLibrary* const glpk = arcs > kMostArcs ? nullptr : glpk_library();
  if (glpk == nullptr) {
    return root;
  }
  StateEquation equation(*glpk, net, limits, guard);
  Refuter refuter(equation, formulas);
  std::map<NetNodeId, NetNodeId> now;
  for (const NetNodeId f : formulas.below(root)) {
    const NetFormulas::Node node = formulas[f];
    std::vector<NetNodeId> operands;
    for (const NetNodeId g : node.operands) {
      operands.push_back(now.at(g));
    }
    NetNodeId made = operands.empty() ? f : formulas.again(node, std::move(operands));
    const Op op = formulas[made].op;
    if (op == Op::Atom || op == Op::And || op == Op::Or) {
      made = refuter.excludes(made, true)    ? formulas.constant(false)
             : refuter.excludes(made, false) ? formulas.constant(true)
                                             : made;
    }
    now[f] = made;
  }
  return now.at(root);
}

#else

NetNodeId simplify_by_state_equation(const PetriNet& /*net*/, NetFormulas& /*formulas*/,
                                     NetNodeId root, const base::Limits& /*limits*/,
                                     base::LimitGuard& /*guard*/) {
  return root;
}

#endif

}  // namespace nestor::net
