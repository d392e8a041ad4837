#pragma once

#include "view/procedure_graph.h"

#include <nestor/model.h>
#include <string>

namespace nestor::view {

/// The model as JSON for a page: the call graph, and procedures with their nodes, calls and
/// transitions, as many as fit; where they are drawn, for as many as there is time to draw. Empty
/// if the model's states have not been explored, or are more than a page is for.
///
///   {"nodes": 35199, "initial": 3, "graphviz": true, "states": false, "labels": […], "files": […],
///    "procedures": [{"name": …, "component": …, "size": 17, "callees": […],
///      "nodes": [{"name": …, "entry": true, "exit": true, "labels": […], "file": …, "line": …},
///      …], "boxes": [{"name": …, "callee": …}], "edges": [from, to, …], "layout": …}, …],
///    "layout": …}
///
/// Boxes count as nodes after the nodes: edge ends are numbers of nodes, then of boxes. The nodes
/// of a procedure that does not fit are those looked at and what is near them: fewer than `size`.
/// A layout is {"width": …, "height": …, "at": [x, y, width, …], "edges": [{"from": …, "to": …,
/// "curve": [x, y, …]}]}.
std::string model_document(Model model, const LookedAt& looked_at);

}  // namespace nestor::view
