#pragma once

#include "view/layout.h"

namespace nestor::view {

/// lay_out(), in the module. Any thread may call it.
std::optional<Layout> lay_out_by_graphviz(const LayoutGraph& graph);

}  // namespace nestor::view
