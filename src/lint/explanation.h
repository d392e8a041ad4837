#pragma once

#include "lint/rule.h"

#include <string>

namespace nestor::lint {

/// What a rule means, with an example, how to mend and how to silence what it finds.
std::string explanation(const Rule& rule);

}  // namespace nestor::lint
