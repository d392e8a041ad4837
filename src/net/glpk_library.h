#pragma once

#include <glpk.h>

namespace nestor::net {

// The functions of GLPK that are used, without their common prefix.
#define NESTOR_GLPK_FUNCTIONS(one)                                                              \
  one(create_prob) one(delete_prob) one(free_env) one(term_out) one(set_obj_dir) one(add_rows)  \
      one(del_rows) one(set_row_bnds) one(set_mat_row) one(set_row_stat) one(add_cols)          \
          one(set_col_bnds) one(set_mat_col) one(set_col_stat) one(set_obj_coef) one(std_basis) \
              one(init_smcp) one(simplex) one(get_it_cnt) one(get_status) one(get_obj_val)      \
                  one(get_row_dual)

/// GLPK, loaded by the first who asks for it: with the libraries that it brings, loading it takes a
/// seventh of the time of a start, and most runs have no use for it.
struct GlpkLibrary {
#define NESTOR_GLPK_MEMBER(name) decltype(&::glp_##name) name;
  NESTOR_GLPK_FUNCTIONS(NESTOR_GLPK_MEMBER)
#undef NESTOR_GLPK_MEMBER
};

/// Null where it is not installed, or lacks one of the functions.
const GlpkLibrary* glpk_library();

}  // namespace nestor::net
