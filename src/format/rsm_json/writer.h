#pragma once

#include "model/rsm.h"

#include <string>

namespace nestor {

/// The model in the RSM JSON format (docs/formats.md): components, nodes, boxes and transitions in
/// the order of their ids, so that writing, reading and writing again gives the same text.
std::string write_rsm_json(const Rsm& model);

}  // namespace nestor
