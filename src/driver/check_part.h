#pragma once

#include "driver/check_report.h"

#include <cstddef>
#include <nestor/formula.h>
#include <nestor/shard.h>
#include <vector>

namespace nestor::driver {

/// Where the formulas of a shard stand among all, in order.
std::vector<std::size_t> shared_formulas(const std::vector<Formula>& formulas, const Shard& shard);

/// Adds a row and a cost for each formula of the report; `positions` as above.
void add_results(Part& part, const CheckReport& report, const std::vector<std::size_t>& positions);

/// The report of all formulas. Throws Error (Input) if the rows are not those of all.
CheckReport merged_results(const std::vector<Part>& parts);

}  // namespace nestor::driver
