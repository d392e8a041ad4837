#pragma once

#include "base/gzip.h"

#include <string>
#include <vector>

namespace nestor::check {

/// The propositions that the formulas at the head of a certificate name, for models that get their
/// labels only where they are asked for. What is damaged is left out: verify() refuses it.
std::vector<std::string> certificate_propositions(base::LineReader& lines);

}  // namespace nestor::check
