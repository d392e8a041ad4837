#include "solver/bit_vector_solver.h"

#include <algorithm>
#include <string>
#include <z3++.h>

namespace nestor::solver {

namespace {

// Z3 counts what it does. On a machine of 2024 this is about 300 ms of formulas like those of
// paths; mostly they need a thousandth of it.
constexpr unsigned kMostSteps = 1'200'000;

}  // namespace

struct BitVectorSolver::Parts {
  z3::context context;
  std::vector<z3::expr> terms;
  std::vector<z3::expr> always;
  std::optional<z3::model> model;
  std::vector<BitVectorId> asked;  // by the last check
  std::vector<std::size_t> core;   // numbers of those

  const z3::expr& operator[](BitVectorId id) const { return terms[id.value()]; }

  BitVectorId add(z3::expr term) {
    terms.push_back(std::move(term));
    return BitVectorId(terms.size() - 1);
  }

  BitVectorId add_condition(const z3::expr& condition) {
    return add(z3::ite(condition, context.bv_val(1, 1), context.bv_val(0, 1)));
  }

  z3::expr is_true(BitVectorId condition) {
    return terms[condition.value()] == context.bv_val(1, 1);
  }

  /// Of the conditions with these numbers.
  Satisfiability check(const std::vector<std::size_t>& which) {
    z3::solver solver(context, "QF_BV");
    z3::params params(context);
    params.set("rlimit", kMostSteps);
    solver.set(params);
    for (const z3::expr& one : always) {
      solver.add(one);
    }
    z3::expr_vector literals(context);
    std::vector<std::string> names;
    for (const std::size_t i : which) {
      names.push_back("condition_" + std::to_string(i));
      const z3::expr literal = context.bool_const(names.back().c_str());
      solver.add(z3::implies(literal, is_true(asked[i])));
      literals.push_back(literal);
    }
    switch (solver.check(literals)) {
      case z3::sat:
        model = solver.get_model();
        return Satisfiability::Satisfiable;
      case z3::unsat: {
        core.clear();
        const z3::expr_vector found = solver.unsat_core();
        for (unsigned i = 0; i < found.size(); ++i) {
          const auto name = std::find(names.begin(), names.end(), found[i].decl().name().str());
          core.push_back(which[static_cast<std::size_t>(name - names.begin())]);
        }
        std::sort(core.begin(), core.end());
        return Satisfiability::Unsatisfiable;
      }
      case z3::unknown:
        break;
    }
    return Satisfiability::Unknown;
  }
};

BitVectorSolver::BitVectorSolver() : parts_(std::make_shared<Parts>()) {}
BitVectorSolver::~BitVectorSolver() = default;

bool BitVectorSolver::is_available() {
  return true;
}

/// With a context of its own each time: which of several numbers Z3 comes to depends on what its
/// context has seen before, and the same question is to have the same answer whatever else a run
/// has asked.
void BitVectorSolver::clear() {
  parts_ = std::make_shared<Parts>();
}

BitVectorId BitVectorSolver::constant(std::int64_t number, unsigned bits) {
  return parts_->add(parts_->context.bv_val(number, bits));
}

BitVectorId BitVectorSolver::unknown(unsigned bits) {
  const std::string name = "x" + std::to_string(parts_->terms.size());
  return parts_->add(parts_->context.bv_const(name.c_str(), bits));
}

BitVectorId BitVectorSolver::apply(Operation operation, BitVectorId left, BitVectorId right) {
  const z3::expr& a = (*parts_)[left];
  const z3::expr& b = (*parts_)[right];
  switch (operation) {
    case Operation::Add:
      return parts_->add(a + b);
    case Operation::Subtract:
      return parts_->add(a - b);
    case Operation::And:
      return parts_->add(a & b);
    case Operation::Or:
      return parts_->add(a | b);
    case Operation::ExclusiveOr:
      return parts_->add(a ^ b);
  }
  return unknown(bits_of(left));
}

BitVectorId BitVectorSolver::compare(Order order, bool is_unsigned, BitVectorId left,
                                     BitVectorId right) {
  const z3::expr& a = (*parts_)[left];
  const z3::expr& b = (*parts_)[right];
  switch (order) {
    case Order::Less:
      return parts_->add_condition(is_unsigned ? z3::ult(a, b) : a < b);
    case Order::LessEqual:
      return parts_->add_condition(is_unsigned ? z3::ule(a, b) : a <= b);
    case Order::Equal:
      break;
  }
  return parts_->add_condition(a == b);
}

BitVectorId BitVectorSolver::negation(BitVectorId condition) {
  return parts_->add(~(*parts_)[condition]);
}

BitVectorId BitVectorSolver::either(BitVectorId left, BitVectorId right) {
  return parts_->add((*parts_)[left] | (*parts_)[right]);
}

BitVectorId BitVectorSolver::extend(BitVectorId term, unsigned bits, bool has_sign) {
  const z3::expr& a = (*parts_)[term];
  const unsigned more = bits - bits_of(term);
  return parts_->add(has_sign ? z3::sext(a, more) : z3::zext(a, more));
}

BitVectorId BitVectorSolver::truncate(BitVectorId term, unsigned bits) {
  return parts_->add((*parts_)[term].extract(bits - 1, 0));
}

unsigned BitVectorSolver::bits_of(BitVectorId term) const {
  return (*parts_)[term].get_sort().bv_size();
}

void BitVectorSolver::assert_always(BitVectorId condition) {
  parts_->always.push_back(parts_->is_true(condition));
}

Satisfiability BitVectorSolver::check(const std::vector<BitVectorId>& conditions) {
  parts_->asked = conditions;
  std::vector<std::size_t> all(conditions.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
  }
  return parts_->check(all);
}

std::vector<std::size_t> BitVectorSolver::core() {
  // Z3's is small, but mostly not a smallest one: each condition is left out on trial.
  std::vector<std::size_t> least = parts_->core;
  for (std::size_t i = least.size(); i-- > 0 && least.size() > 1;) {
    std::vector<std::size_t> fewer = least;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (parts_->check(fewer) == Satisfiability::Unsatisfiable) {
      least = std::move(fewer);
    }
  }
  return least;
}

std::optional<std::int64_t> BitVectorSolver::value(BitVectorId term) {
  if (!parts_->model) {
    return std::nullopt;
  }
  const z3::expr& wide = (*parts_)[term];
  const z3::expr number = parts_->model->eval(z3::sext(wide, 64 - bits_of(term)), true);
  std::uint64_t bits = 0;
  return number.is_numeral_u64(bits) ? std::optional(static_cast<std::int64_t>(bits))
                                     : std::nullopt;
}

}  // namespace nestor::solver
