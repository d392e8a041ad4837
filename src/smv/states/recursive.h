#pragma once

#include "logic/read_model.h"
#include "smv/states/states.h"

#include <memory>

namespace nestor::smv {

/// A file whose modules call each other: each module that is no instance is a sub-structure of a
/// recursive Kripke structure. One model for each module with specifications, in which it is the
/// initial one; the first is that of `main`, or of the first module. Throws Error.
logic::ReadModel read_recursive(const std::shared_ptr<File>& file,
                                const logic::ReadOptions& options);

}  // namespace nestor::smv
