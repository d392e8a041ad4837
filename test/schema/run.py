#!/usr/bin/env python3
"""What nestor prints as JSON is as share/nestor/schema says, and so is what the last releases printed.

usage: run.py NESTOR SOURCE-ROOT [--store]

The folders beside this file have examples of what a release printed. A schema may gain members, but must go on
describing them; --store writes those of this version, which is done when it is released.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

EXAMPLE = ["examples/dataflow.rsm", "examples/dataflow.ctl"]
# name of the stored file -> command line; LLVM's are left out where it is missing
COMMANDS = {
    "check": ["check", "--json", *EXAMPLE],
    "check_witness": ["check", "--json", "--witness", *EXAMPLE],
    "check_net": ["check", "--json", "examples/philosophers.net", "-f", "AG EX true"],
    "check_unknown": ["check", "--json", "--steps=1", *EXAMPLE],
    "check_lines": ["check", "--json-lines", "--witness", *EXAMPLE],
    "check_reproducible": ["check", "--json", "--reproducible", *EXAMPLE],
    "part": ["check", "--json", "--witness", "--shard=1/2", *EXAMPLE],
    "part_lint": ["lint", "--quiet", "--shard=1/1", "test/llvm/double_free.ll"],
    "label": ["label", "--json", EXAMPLE[0], "-f", "AG (def_i -> EF use_i)", "-f", "EX use_i"],
    "label_unknown": ["label", "--json", "--steps=1", EXAMPLE[0], "-f", "AG EF end"],
    "info": ["info", "--json", EXAMPLE[0]],
    "info_dead_end": ["info", "--json", "test/regress/semantics/dead_end.rsm"],
    "engines": ["engines", "--json"],
    "rules": ["rules", "--json"],
    "lint": ["lint", "--quiet", "--format=json", "--all-rules", "test/llvm/smallest.ll"],
    "lint_warning": ["lint", "--quiet", "--format=json", "test/llvm/double_free.ll"],
}


def objects_of(text):
    """One object, or one a line; and the witnesses in them."""
    try:
        objects = [json.loads(text)]
    except json.JSONDecodeError:
        objects = [json.loads(line) for line in text.splitlines()]
    witnesses = [result["witness"] for one in objects for result in (one, *one.get("results", [])) if "witness" in result]
    return objects + witnesses


def validators(root):
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8"))
               for path in (root / "share/nestor/schema").glob("*.json")}
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return {name.removesuffix(".schema.json"): jsonschema.Draft202012Validator(schema)
            for name, schema in schemas.items()}


def problems_of(objects, known, where):
    problems = []
    for found in objects:
        name = found.get("schema", "").removeprefix("nestor/")
        if name not in known or not re.fullmatch(r"\d+\.\d+", found.get("schema_version", "")):
            problems.append(f"{where}: says neither schema nor version: {list(found)}")
            continue
        problems += [f"{where}: {'/'.join(map(str, error.path))}: {error.message[:200]}"
                     for error in known[name].iter_errors(found)]
    return problems


def costs_of(nestor, root, part):
    """What `merge --costs` writes of the parts of a report; one is given."""
    with tempfile.TemporaryDirectory() as folder:
        parts, costs = [pathlib.Path(folder, name) for name in ("1", "2")], pathlib.Path(folder, "costs")
        parts[0].write_text(part, encoding="utf-8")
        other = [word.replace("1/2", "2/2") for word in COMMANDS["part"]]
        subprocess.run([nestor, *other, "-o", parts[1]], cwd=root, check=False)
        subprocess.run([nestor, "merge", *parts, "--costs", costs, "-o", "/dev/null"], cwd=root, check=False)
        return costs.read_text(encoding="utf-8")


def main():
    nestor, root = sys.argv[1], pathlib.Path(sys.argv[2])
    here = pathlib.Path(__file__).parent
    known, problems, printed, seen = validators(root), [], {}, set()
    has_llvm = features.has_llvm(nestor)
    for name, command in COMMANDS.items():
        if command[0] == "lint" and not has_llvm:
            print(f"{name} is left out: built without LLVM")
            continue
        done = subprocess.run([nestor, *command], cwd=root, capture_output=True, text=True, check=False)
        printed[name] = done.stdout
        if name == "part":
            printed["costs"] = costs_of(nestor, root, done.stdout)
        if done.returncode not in (0, 1, 3):
            problems.append(f"{command}: {done.stderr}")
            continue
        objects = objects_of(done.stdout)
        problems += problems_of(objects, known, name)
        seen |= {one["schema"].removeprefix("nestor/") for one in objects}
    problems += problems_of(objects_of(printed["costs"]), known, "costs")
    seen.add("costs")
    # One result a line, and an end.
    lines = objects_of(printed["check_lines"])
    if [one["schema"] for one in lines[:4]] != ["nestor/check-result"] * 3 + ["nestor/check-end"]:
        problems.append(f"check_lines: {[one['schema'] for one in lines]}")
    if missing := set(known) - seen - ({"lint"} if not has_llvm else set()):
        problems.append(f"no command shows {missing}")
    version = json.loads(printed["engines"])["nestor"]
    if "--store" in sys.argv:
        (here / version).mkdir(exist_ok=True)
        for name, text in printed.items():
            (here / version / f"{name}.json").write_text(text, encoding="utf-8")
    stored = sorted(here.glob("*/*.json"))
    for path in stored:
        problems += problems_of(objects_of(path.read_text(encoding="utf-8")), known, path.relative_to(here))
    print("\n".join(problems) or f"{len(printed)} commands and {len(stored)} stored examples are as the schemas say")
    return 1 if problems or not stored else 0


if __name__ == "__main__":
    sys.exit(main())
