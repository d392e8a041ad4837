#include "solver/z3_solver.h"

#include "solver/z3_library.h"

#include <algorithm>
#include <string>

namespace nestor::solver {

namespace {

// Z3 counts what it does. On a machine of 2024 this is about 300 ms of formulas like those of
// paths; mostly they need a thousandth of it.
constexpr unsigned kMostSteps = 1'200'000;

/// A context of Z3 and what was made in it. Its terms live as long as it does; models, solvers and
/// lists of terms are counted.
class Z3Solver final : public BitVectorSolver {
 public:
  explicit Z3Solver(const Z3Library& library) : z3_(library), context_(make_context(library)) {}

  Z3Solver(const Z3Solver&) = delete;
  Z3Solver& operator=(const Z3Solver&) = delete;

  ~Z3Solver() override {
    forget_model();
    z3_.del_context(context_);
  }

  /// With a context of its own each time: which of several numbers Z3 comes to depends on what its
  /// context has seen before, and the same question is to have the same answer whatever else a run
  /// has asked.
  void clear() override {
    forget_model();
    z3_.del_context(context_);
    context_ = make_context(z3_);
    terms_.clear();
    always_.clear();
    asked_.clear();
    unsatisfiable_.clear();
  }

  BitVectorId constant(std::int64_t number, unsigned bits) override {
    return add(number_of(number, bits));
  }

  BitVectorId unknown(unsigned bits) override {
    return add(variable("x" + std::to_string(terms_.size()), z3_.mk_bv_sort(context_, bits)));
  }

  BitVectorId apply(Operation operation, BitVectorId left, BitVectorId right) override {
    const Z3_ast a = at(left);
    const Z3_ast b = at(right);
    switch (operation) {
      case Operation::Add:
        return add(z3_.mk_bvadd(context_, a, b));
      case Operation::Subtract:
        return add(z3_.mk_bvsub(context_, a, b));
      case Operation::And:
        return add(z3_.mk_bvand(context_, a, b));
      case Operation::Or:
        return add(z3_.mk_bvor(context_, a, b));
      case Operation::ExclusiveOr:
        break;
    }
    return add(z3_.mk_bvxor(context_, a, b));
  }

  BitVectorId compare(Order order, bool is_unsigned, BitVectorId left, BitVectorId right) override {
    const Z3_ast a = at(left);
    const Z3_ast b = at(right);
    switch (order) {
      case Order::Less:
        return add_condition((is_unsigned ? z3_.mk_bvult : z3_.mk_bvslt)(context_, a, b));
      case Order::LessEqual:
        return add_condition((is_unsigned ? z3_.mk_bvule : z3_.mk_bvsle)(context_, a, b));
      case Order::Equal:
        break;
    }
    return add_condition(z3_.mk_eq(context_, a, b));
  }

  BitVectorId negation(BitVectorId condition) override {
    return add(z3_.mk_bvnot(context_, at(condition)));
  }

  BitVectorId either(BitVectorId left, BitVectorId right) override {
    return apply(Operation::Or, left, right);
  }

  BitVectorId extend(BitVectorId term, unsigned bits, bool has_sign) override {
    const unsigned more = bits - bits_of(term);
    return add((has_sign ? z3_.mk_sign_ext : z3_.mk_zero_ext)(context_, more, at(term)));
  }

  BitVectorId truncate(BitVectorId term, unsigned bits) override {
    return add(z3_.mk_extract(context_, bits - 1, 0, at(term)));
  }

  unsigned bits_of(BitVectorId term) const override {
    return z3_.get_bv_sort_size(context_, z3_.get_sort(context_, at(term)));
  }

  void assert_always(BitVectorId condition) override { always_.push_back(is_true(condition)); }

  Satisfiability check(const std::vector<BitVectorId>& conditions) override {
    asked_ = conditions;
    std::vector<std::size_t> all(conditions.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = i;
    }
    return check_those(all);
  }

  std::vector<std::size_t> core() override {
    // Z3's is small, but mostly not a smallest one: each condition is left out on trial.
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
    const Z3_ast wide = z3_.mk_sign_ext(context_, 64 - bits_of(term), at(term));
    Z3_ast number = nullptr;
    std::uint64_t bits = 0;
    return z3_.model_eval(context_, model_, wide, true, &number) &&
                   z3_.get_numeral_uint64(context_, number, &bits)
               ? std::optional(static_cast<std::int64_t>(bits))
               : std::nullopt;
  }

 private:
  static Z3_context make_context(const Z3Library& z3) {
    const Z3_config config = z3.mk_config();
    const Z3_context context = z3.mk_context(config);
    z3.del_config(config);
    // Without one Z3 ends the program. A check in which something fails has the answer Unknown.
    z3.set_error_handler(context, [](Z3_context, Z3_error_code) {});
    return context;
  }

  void forget_model() {
    if (model_ != nullptr) {
      z3_.model_dec_ref(context_, model_);
      model_ = nullptr;
    }
  }

  Z3_ast at(BitVectorId id) const { return terms_[id.value()]; }

  BitVectorId add(Z3_ast term) {
    terms_.push_back(term);
    return BitVectorId(terms_.size() - 1);
  }

  Z3_ast number_of(std::int64_t value, unsigned bits) const {
    return z3_.mk_int64(context_, value, z3_.mk_bv_sort(context_, bits));
  }

  Z3_ast variable(const std::string& name, Z3_sort sort) const {
    return z3_.mk_const(context_, z3_.mk_string_symbol(context_, name.c_str()), sort);
  }

  BitVectorId add_condition(Z3_ast condition) {
    return add(z3_.mk_ite(context_, condition, number_of(1, 1), number_of(0, 1)));
  }

  Z3_ast is_true(BitVectorId condition) const {
    return z3_.mk_eq(context_, at(condition), number_of(1, 1));
  }

  Z3_solver make_solver() const {
    const Z3_solver solver =
        z3_.mk_solver_for_logic(context_, z3_.mk_string_symbol(context_, "QF_BV"));
    z3_.solver_inc_ref(context_, solver);
    const Z3_params params = z3_.mk_params(context_);
    z3_.params_inc_ref(context_, params);
    z3_.params_set_uint(context_, params, z3_.mk_string_symbol(context_, "rlimit"), kMostSteps);
    z3_.solver_set_params(context_, solver, params);
    z3_.params_dec_ref(context_, params);
    for (const Z3_ast one : always_) {
      z3_.solver_assert(context_, solver, one);
    }
    return solver;
  }

  /// Of the conditions with these numbers.
  Satisfiability check_those(const std::vector<std::size_t>& which) {
    const Z3_solver solver = make_solver();
    std::vector<Z3_ast> literals;
    for (const std::size_t i : which) {
      literals.push_back(variable("condition_" + std::to_string(i), z3_.mk_bool_sort(context_)));
      z3_.solver_assert(context_, solver,
                        z3_.mk_implies(context_, literals.back(), is_true(asked_[i])));
    }
    const Z3_lbool answer = z3_.solver_check_assumptions(
        context_, solver, static_cast<unsigned>(literals.size()), literals.data());
    if (answer == Z3_L_TRUE) {
      forget_model();
      model_ = z3_.solver_get_model(context_, solver);
      z3_.model_inc_ref(context_, model_);
    } else if (answer == Z3_L_FALSE) {
      unsatisfiable_ = numbers(z3_.solver_get_unsat_core(context_, solver), literals, which);
    }
    z3_.solver_dec_ref(context_, solver);
    return answer == Z3_L_TRUE    ? Satisfiability::Satisfiable
           : answer == Z3_L_FALSE ? Satisfiability::Unsatisfiable
                                  : Satisfiability::Unknown;
  }

  /// Which conditions the literals in `found` stand for. Equal terms of a context are one.
  std::vector<std::size_t> numbers(Z3_ast_vector found, const std::vector<Z3_ast>& literals,
                                   const std::vector<std::size_t>& which) const {
    z3_.ast_vector_inc_ref(context_, found);
    std::vector<std::size_t> result;
    for (unsigned i = 0; i < z3_.ast_vector_size(context_, found); ++i) {
      const auto literal =
          std::find(literals.begin(), literals.end(), z3_.ast_vector_get(context_, found, i));
      result.push_back(which[static_cast<std::size_t>(literal - literals.begin())]);
    }
    z3_.ast_vector_dec_ref(context_, found);
    std::sort(result.begin(), result.end());
    return result;
  }

  const Z3Library& z3_;
  Z3_context context_;
  std::vector<Z3_ast> terms_;
  std::vector<Z3_ast> always_;
  Z3_model model_ = nullptr;                // of the last check that was satisfiable
  std::vector<BitVectorId> asked_;          // by the last check
  std::vector<std::size_t> unsatisfiable_;  // numbers of those
};

}  // namespace

bool has_z3() {
  return z3_library() != nullptr;
}

std::unique_ptr<BitVectorSolver> make_z3_solver() {
  return std::make_unique<Z3Solver>(*z3_library());
}

}  // namespace nestor::solver
