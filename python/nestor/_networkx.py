"""Models as graphs of NetworkX, and graphs as models."""

from __future__ import annotations

from typing import Any

import nestor


def to_networkx(model: nestor.Model) -> Any:
    import networkx  # type: ignore[import]
    graph = networkx.MultiDiGraph(name=model.name)
    component, nodes = model.initial
    graph.graph["initial"] = (component, nodes)
    graph.graph["boxes"] = {}
    graph.graph["components"] = []
    for component_ in model.components():
        graph.graph["components"].append(component_.name)
        for node in component_.nodes:
            graph.add_node((component_.name, node.name), entry=node.is_entry, exit=node.is_exit,
                           labels=set(node.labels), file=node.file, line=node.line)
        for box, callee in component_.boxes.items():
            graph.graph["boxes"][component_.name, box] = callee
        for start, end in component_.transitions:
            graph.add_edge(*((component_.name, *([box] if box else []), name) for box, name in (start, end)))
    return graph


def from_networkx(graph: Any) -> nestor.Model:
    if "boxes" not in graph.graph:
        return _from_plain_graph(graph)
    builder = nestor.ModelBuilder(graph.graph.get("name") or "<graph>")
    for component in graph.graph["components"]:
        builder.component(component)
        for key, data in graph.nodes(data=True):
            if key[0] == component and len(key) == 2:
                builder.node(key[1], entry=data.get("entry", False), exit=data.get("exit", False),
                             labels=data.get("labels", ()), file=data.get("file", ""), line=data.get("line", 0))
        for (owner, box), callee in graph.graph["boxes"].items():
            if owner == component:
                builder.box(box, callee)
        for start, end in graph.edges():
            if start[0] == component:
                builder.transition(*(key[1] if len(key) == 2 else (key[1], key[2]) for key in (start, end)))
    return builder.initial(*graph.graph["initial"]).finish()


def _from_plain_graph(graph: Any) -> nestor.Model:
    builder = nestor.ModelBuilder(graph.graph.get("name") or "<graph>").component("graph")
    names = {node: str(node) for node in graph}
    if len(set(names.values())) < len(names):
        raise ValueError("two nodes of the graph have the same text")
    initial = [node for node, data in graph.nodes(data=True) if data.get("initial")] or list(graph)[:1]
    for node, data in graph.nodes(data=True):
        builder.node(names[node], entry=node in initial, labels=data.get("labels", ()))
    for start, end in graph.edges():
        builder.transition(names[start], names[end])
    return builder.initial("graph", [names[node] for node in initial]).finish()
