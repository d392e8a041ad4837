#pragma once

#include <z3.h>

namespace nestor::solver {

// The functions of Z3's C interface that are used, without their common prefix.
#define NESTOR_Z3_FUNCTIONS(one)                                                                  \
  one(mk_config) one(del_config) one(mk_context) one(del_context) one(set_error_handler)          \
      one(mk_bool_sort) one(mk_bv_sort) one(mk_string_symbol) one(mk_const) one(mk_int64)         \
          one(mk_bvadd) one(mk_bvsub) one(mk_bvand) one(mk_bvor) one(mk_bvxor) one(mk_bvnot)      \
              one(mk_bvult) one(mk_bvule) one(mk_bvslt) one(mk_bvsle) one(mk_eq) one(mk_ite)      \
                  one(mk_implies) one(mk_sign_ext) one(mk_zero_ext) one(mk_extract) one(get_sort) \
                      one(get_bv_sort_size) one(get_numeral_uint64) one(mk_params)                \
                          one(params_inc_ref) one(params_dec_ref) one(params_set_uint)            \
                              one(mk_solver_for_logic) one(solver_inc_ref) one(solver_dec_ref)    \
                                  one(solver_set_params) one(solver_assert)                       \
                                      one(solver_check_assumptions) one(solver_get_model)         \
                                          one(solver_get_unsat_core) one(model_inc_ref)           \
                                              one(model_dec_ref) one(model_eval)                  \
                                                  one(ast_vector_inc_ref) one(ast_vector_dec_ref) \
                                                      one(ast_vector_size) one(ast_vector_get)

/// Z3, loaded by the first who asks for it: loading it takes a quarter of the time of a start, and
/// most runs have no use for it.
struct Z3Library {
#define NESTOR_Z3_MEMBER(name) decltype(&::Z3_##name) name;
  NESTOR_Z3_FUNCTIONS(NESTOR_Z3_MEMBER)
#undef NESTOR_Z3_MEMBER
};

/// Null where it is not installed, or lacks one of the functions.
const Z3Library* z3_library();

}  // namespace nestor::solver
