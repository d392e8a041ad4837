#pragma once

#include "base/gzip.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <string>
#include <string_view>

namespace nestor::check {

/// What a certificate proves.
struct Verification {
  bool accepted = false;
  bool holds = false;      ///< if accepted: whether the model satisfies the formula
  std::uint32_t line = 0;  ///< if not: the line at fault
  std::string why;         ///< and what is wrong there, by which rule
};

/// Checks a certificate (docs/certificates.md) for a model with a given SHA-256, and for `formula`
/// if that is valid. Uses nothing of the engines nor of what writes certificates. Linear in the
/// size of the model and the certificate, of which no more is kept than its numbers.
///
/// Throws Error (System) for a file that cannot be read.
Verification verify(const model::Rsm& model, std::string_view model_hash, base::LineReader& lines,
                    logic::FormulaPool& pool, logic::FormulaId formula);

}  // namespace nestor::check
