#pragma once

#include "program/externals.h"
#include "program/program.h"

namespace nestor::program {

/// Labels with `ret_misjudged` each call of a function outside the program whose result is compared
/// only so that a failure is not told from success (docs/c-programs.md): the outcome is the same
/// for every result that the catalogue knows, as in `pthread_create(…) < 0`, or sets apart just the
/// 0 of a function for which that is a success like any other, as in `puts(…) == 0`.
void find_misjudged_results(Program& program, const Externals& externals);

}  // namespace nestor::program
