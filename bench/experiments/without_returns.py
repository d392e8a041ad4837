#!/usr/bin/env python3
"""Rewrites an RSM JSON model so that a node that is entry and exit never returns, as the tool published with
Dubslaff, Wienhöft and Fehnker 2024 reads it (docs/experiments.md): for comparing numbers of contexts, not for verdicts.

usage: without_returns.py IN.rsm OUT.rsm [keep-exit]

Unless `keep-exit` is given the node is no exit any more; with it, it stays one, but its return nodes lead nowhere.
"""

import json
import pathlib
import sys


def rewrite(model, keep_exit):
    empty = {component["name"]: {node["name"] for node in component["nodes"] if node["is_entry"] and node["is_exit"]}
             for component in model["components"]}
    for component in model["components"]:
        callee = {box["name"]: box["component"] for box in component["boxes"]}

        def returns(source, callee=callee):
            return source["type"] == "box_node" and source["node_name"] in empty[callee[source["box_name"]]]

        component["transitions"] = [t for t in component["transitions"] if not returns(t["source"])]
        if keep_exit:
            continue
        for node in component["nodes"]:
            node["is_exit"] = node["is_exit"] and not node["is_entry"]
        for box in component["boxes"]:
            box["return_nodes"] = [n for n in box["return_nodes"] if n not in empty[box["component"]]]
    return model


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["keep-exit"]):
        sys.exit(__doc__)
    model = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    pathlib.Path(sys.argv[2]).write_text(json.dumps(rewrite(model, len(sys.argv) == 4)), encoding="utf-8")


if __name__ == "__main__":
    main()
