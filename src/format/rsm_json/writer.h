#pragma once

#include "model/rsm.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace nestor::format {

/// The model in the RSM JSON format (docs/formats.md): components, nodes, boxes and transitions in
/// the order of their ids, so that writing, reading and writing again gives the same text.
std::string write_rsm_json(const model::Rsm& model);

/// The same piece by piece, with some of its propositions as labels, in this order.
void write_rsm_json(const model::Rsm& model, std::span<const model::PropId> labels,
                    const std::function<void(std::string_view)>& write);

}  // namespace nestor::format
