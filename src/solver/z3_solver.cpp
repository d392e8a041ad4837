#include "solver/z3_solver.h"

#include "solver/recorded_terms.h"
#include "solver/z3_library.h"

#include <algorithm>
#include <string>

namespace nestor::solver {

namespace {

// Z3 counts what it does. On a machine of 2024 this is about 300 ms of formulas like those of
// paths; mostly they need a thousandth of it.
constexpr unsigned kMostSteps = 1'200'000;

/// Terms are recorded, and given to Z3 when it is asked. They live as long as its context does;
/// models, solvers and lists of terms are counted.
class Z3Solver final : public BitVectorSolver {
 public:
  explicit Z3Solver(const Z3Library& library) : z3_(library) {}

  Z3Solver(const Z3Solver&) = delete;
  Z3Solver& operator=(const Z3Solver&) = delete;

  ~Z3Solver() override { drop_context(); }

  /// With a context of its own each time: which of several numbers Z3 comes to depends on what its
  /// context has seen before, and the same question is to have the same answer whatever else a run
  /// has asked.
  void clear() override {
    drop_context();
    recorded_.clear();
    asserted_.clear();
    terms_.clear();
    always_.clear();
    unsatisfiable_.clear();
  }

  BitVectorId constant(std::int64_t number, unsigned bits) override {
    return record({.kind = Kind::Constant, .bits = narrow(bits), .number = number});
  }

  BitVectorId unknown(unsigned bits) override {
    return record({.kind = Kind::Unknown, .bits = narrow(bits)});
  }

  BitVectorId apply(Operation operation, BitVectorId left, BitVectorId right) override {
    return record({.kind = Kind::Apply,
                   .bits = recorded_[left].bits,
                   .operation = operation,
                   .left = left,
                   .right = right});
  }

  BitVectorId compare(Order order, bool is_unsigned, BitVectorId left, BitVectorId right) override {
    return record({.kind = Kind::Compare,
                   .bits = 1,
                   .order = order,
                   .flag = is_unsigned,
                   .left = left,
                   .right = right});
  }

  BitVectorId negation(BitVectorId condition) override {
    return record({.kind = Kind::Negate, .bits = 1, .left = condition});
  }

  BitVectorId either(BitVectorId left, BitVectorId right) override {
    return apply(Operation::Or, left, right);
  }

  BitVectorId extend(BitVectorId term, unsigned bits, bool has_sign) override {
    return record({.kind = Kind::Extend, .bits = narrow(bits), .flag = has_sign, .left = term});
  }

  BitVectorId truncate(BitVectorId term, unsigned bits) override {
    return record({.kind = Kind::Truncate, .bits = narrow(bits), .left = term});
  }

  unsigned bits_of(BitVectorId term) const override { return recorded_[term].bits; }

  void assert_always(BitVectorId condition) override {
    asserted_.push_back({condition, recorded_.size()});
  }

  bool is_surely_satisfiable(const std::vector<BitVectorId>& conditions) override {
    std::vector<BitVectorId> all = conditions;
    for (const Asserted& one : asserted_) {
      all.push_back(one.condition);
    }
    return recorded_.can_be_true(all);
  }

  Satisfiability check(const std::vector<BitVectorId>& conditions) override {
    give_to_z3();
    make_solver(conditions);
    std::vector<std::size_t> all(conditions.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = i;
    }
    return check_those(all);
  }

  std::vector<std::size_t> core() override {
    // Z3's is small, but mostly not a smallest one: each condition is left out on trial, of the
    // same solver, which remembers what it has learned.
    std::vector<std::size_t> least = unsatisfiable_;
    for (std::size_t i = least.size(); i-- > 0 && least.size() > 1;) {
      std::vector<std::size_t> fewer = least;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (check_those(fewer) == Satisfiability::Unsatisfiable) {
        least = std::move(fewer);
      }
    }
    return least;
  }

  std::optional<std::int64_t> value(BitVectorId term) override {
    if (model_ == nullptr) {
      return std::nullopt;
    }
    give_to_z3();
    const Z3_ast wide = z3_.mk_sign_ext(context_, 64 - bits_of(term), at(term));
    Z3_ast number = nullptr;
    std::uint64_t bits = 0;
    return z3_.model_eval(context_, model_, wide, true, &number) &&
                   z3_.get_numeral_uint64(context_, number, &bits)
               ? std::optional(static_cast<std::int64_t>(bits))
               : std::nullopt;
  }

 private:
  using Kind = RecordedTerms::Kind;
  struct Asserted {
    BitVectorId condition;
    std::size_t terms = 0;  // that there were then
  };

  static std::uint8_t narrow(unsigned bits) { return static_cast<std::uint8_t>(bits); }
  BitVectorId record(const RecordedTerms::Term& term) { return recorded_.add(term); }

  /// What it does not have yet, in the order in which it was recorded.
  void give_to_z3() {
    if (context_ == nullptr) {
      context_ = make_context(z3_);
    }
    for (;;) {
      const bool is_assertion =
          always_.size() < asserted_.size() && asserted_[always_.size()].terms <= terms_.size();
      if (is_assertion) {
        always_.push_back(is_true(asserted_[always_.size()].condition));
      } else if (terms_.size() < recorded_.size()) {
        terms_.push_back(made(recorded_[BitVectorId(terms_.size())]));
      } else {
        return;
      }
    }
  }

  Z3_ast made(const RecordedTerms::Term& term) const {
    switch (term.kind) {
      case Kind::Constant:
        return number_of(term.number, term.bits);
      case Kind::Unknown:
        return variable("x" + std::to_string(terms_.size()), z3_.mk_bv_sort(context_, term.bits));
      case Kind::Apply:
        return applied(term.operation, at(term.left), at(term.right));
      case Kind::Compare:
        return compared(term, at(term.left), at(term.right));
      case Kind::Negate:
        return z3_.mk_bvnot(context_, at(term.left));
      case Kind::Extend:
        return (term.flag ? z3_.mk_sign_ext : z3_.mk_zero_ext)(
            context_, term.bits - bits_of(term.left), at(term.left));
      case Kind::Truncate:
        break;
    }
    return z3_.mk_extract(context_, term.bits - 1U, 0, at(term.left));
  }

  Z3_ast applied(Operation operation, Z3_ast a, Z3_ast b) const {
    switch (operation) {
      case Operation::Add:
        return z3_.mk_bvadd(context_, a, b);
      case Operation::Subtract:
        return z3_.mk_bvsub(context_, a, b);
      case Operation::And:
        return z3_.mk_bvand(context_, a, b);
      case Operation::Or:
        return z3_.mk_bvor(context_, a, b);
      case Operation::ExclusiveOr:
        break;
    }
    return z3_.mk_bvxor(context_, a, b);
  }

  Z3_ast compared(const RecordedTerms::Term& term, Z3_ast a, Z3_ast b) const {
    switch (term.order) {
      case Order::Less:
        return as_number((term.flag ? z3_.mk_bvult : z3_.mk_bvslt)(context_, a, b));
      case Order::LessEqual:
        return as_number((term.flag ? z3_.mk_bvule : z3_.mk_bvsle)(context_, a, b));
      case Order::Equal:
        break;
    }
    return as_number(z3_.mk_eq(context_, a, b));
  }

  static Z3_context make_context(const Z3Library& z3) {
    const Z3_config config = z3.mk_config();
    const Z3_context context = z3.mk_context(config);
    z3.del_config(config);
    // Without one Z3 ends the program. A check in which something fails has the answer Unknown.
    z3.set_error_handler(context, [](Z3_context, Z3_error_code) {});
    return context;
  }

  void drop_context() {
    if (context_ != nullptr) {
      forget_model();
      forget_solver();
      z3_.del_context(context_);
      context_ = nullptr;
    }
  }

  void forget_model() {
    if (model_ != nullptr) {
      z3_.model_dec_ref(context_, model_);
      model_ = nullptr;
    }
  }

  void forget_solver() {
    if (solver_ != nullptr) {
      z3_.solver_dec_ref(context_, solver_);
      solver_ = nullptr;
    }
  }

  Z3_ast at(BitVectorId id) const { return terms_[id.value()]; }

  Z3_ast number_of(std::int64_t value, unsigned bits) const {
    return z3_.mk_int64(context_, value, z3_.mk_bv_sort(context_, bits));
  }

  Z3_ast variable(const std::string& name, Z3_sort sort) const {
    return z3_.mk_const(context_, z3_.mk_string_symbol(context_, name.c_str()), sort);
  }

  Z3_ast as_number(Z3_ast condition) const {
    return z3_.mk_ite(context_, condition, number_of(1, 1), number_of(0, 1));
  }

  Z3_ast is_true(BitVectorId condition) const {
    return z3_.mk_eq(context_, at(condition), number_of(1, 1));
  }

  /// With a literal for each of the conditions.
  void make_solver(const std::vector<BitVectorId>& conditions) {
    forget_solver();
    solver_ = z3_.mk_solver_for_logic(context_, z3_.mk_string_symbol(context_, "QF_BV"));
    z3_.solver_inc_ref(context_, solver_);
    const Z3_params params = z3_.mk_params(context_);
    z3_.params_inc_ref(context_, params);
    z3_.params_set_uint(context_, params, z3_.mk_string_symbol(context_, "rlimit"), kMostSteps);
    z3_.solver_set_params(context_, solver_, params);
    z3_.params_dec_ref(context_, params);
    for (const Z3_ast one : always_) {
      z3_.solver_assert(context_, solver_, one);
    }
    literals_.clear();
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      literals_.push_back(variable("condition_" + std::to_string(i), z3_.mk_bool_sort(context_)));
      z3_.solver_assert(context_, solver_,
                        z3_.mk_implies(context_, literals_.back(), is_true(conditions[i])));
    }
  }

  /// Of the conditions with these numbers.
  Satisfiability check_those(const std::vector<std::size_t>& which) {
    std::vector<Z3_ast> literals;
    for (const std::size_t i : which) {
      literals.push_back(literals_[i]);
    }
    const Z3_lbool answer = z3_.solver_check_assumptions(
        context_, solver_, static_cast<unsigned>(literals.size()), literals.data());
    if (answer == Z3_L_TRUE) {
      forget_model();
      model_ = z3_.solver_get_model(context_, solver_);
      z3_.model_inc_ref(context_, model_);
    } else if (answer == Z3_L_FALSE) {
      unsatisfiable_ = numbers(z3_.solver_get_unsat_core(context_, solver_));
    }
    return answer == Z3_L_TRUE    ? Satisfiability::Satisfiable
           : answer == Z3_L_FALSE ? Satisfiability::Unsatisfiable
                                  : Satisfiability::Unknown;
  }

  /// Which conditions the literals in `found` stand for.
  std::vector<std::size_t> numbers(Z3_ast_vector found) const {
    z3_.ast_vector_inc_ref(context_, found);
    std::vector<std::size_t> result;
    for (unsigned i = 0; i < z3_.ast_vector_size(context_, found); ++i) {
      const auto literal =
          std::find(literals_.begin(), literals_.end(), z3_.ast_vector_get(context_, found, i));
      result.push_back(static_cast<std::size_t>(literal - literals_.begin()));
    }
    z3_.ast_vector_dec_ref(context_, found);
    std::sort(result.begin(), result.end());
    return result;
  }

  const Z3Library& z3_;
  RecordedTerms recorded_;
  std::vector<Asserted> asserted_;
  Z3_context context_ = nullptr;            // none until Z3 is asked
  std::vector<Z3_ast> terms_;               // of recorded_, as far as Z3 has them
  std::vector<Z3_ast> always_;              // of asserted_, likewise
  Z3_model model_ = nullptr;                // of the last check that was satisfiable
  Z3_solver solver_ = nullptr;              // of the last check
  std::vector<Z3_ast> literals_;            // by condition of that
  std::vector<std::size_t> unsatisfiable_;  // numbers of conditions
};

}  // namespace

bool has_z3() {
  return z3_library() != nullptr;
}

std::unique_ptr<BitVectorSolver> make_z3_solver() {
  return std::make_unique<Z3Solver>(*z3_library());
}

}  // namespace nestor::solver
