#!/usr/bin/env python3
"""Plants violations in a made-up source tree and requires that check.py finds each of them."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check  # noqa: E402

PAGE = """
```mermaid
flowchart TD
  tools --> driver
  driver --> engine & check & format & llvm & smv
  engine --> explain
  explain --> model
  check --> model
  format --> model
  llvm --> solver
  solver --> model
  smv --> model
  model --> base
```
""" + "".join(f"| `{folder}` | |\n"
              for folder in ["base", "model", "explain", "engine", "check", "format", "llvm", "solver", "smv",
                             "driver"])

GRAPH = """nestor_base: fmt::fmt
nestor_model: nestor_base
nestor_explain: nestor_model nestor_base
nestor_engine: nestor_explain nestor_base TBB::tbb
nestor_check: nestor_model
nestor_format: nestor_model
nestor_llvm: nestor_solver LLVMCore
nestor_solver: nestor_model
nestor_smv: nestor_model
nestor_driver: nestor_engine nestor_check nestor_format nestor_llvm nestor_smv nestor_model nestor_solver
"""
# The driver's arrow to the solver is implied by the one to llvm, and by nothing else.
WITHOUT_LLVM = GRAPH.replace("nestor_llvm: nestor_solver LLVMCore\n", "").replace(" nestor_llvm", "")

GOOD = {
    "docs/architecture.md": PAGE,
    "src/base/id.h": "#pragma once\n",
    "src/model/rsm.h": '#include "base/id.h"\n#include <vector>\nnamespace nestor::model {\nstruct Rsm { int f(); };\n}\n',
    "src/explain/paths.h": '#include "model/rsm.h"\nnamespace nestor::explain {\nclass Rsm;\n}\n',
    "src/engine/engine.h": '#include "model/rsm.h"\n',
    "src/engine/lazy/lazy.cpp": '#include "engine/engine.h"\n// std::cout is not for engines\n',
    "src/engine/summary/summary.h": '#include "engine/engine.h"\nnamespace nestor::engine {\nnamespace { struct Local {}; }\n}\n',
    "src/format/rsm_json/read.cpp": '#include "model/rsm.h"\nnamespace nestor::format {\nnamespace { struct Local {}; }\n}\n',
    "src/llvm/read.cpp": '#include "model/rsm.h"\n',
    "src/solver/solve.cpp": '#include "model/rsm.h"\n',
    "src/driver/run.cpp": '#include "engine/engine.h"\n#include <iostream>\n',
    "src/check/replay.h": '#include "model/rsm.h"\n',
    "src/smv/syntax/parser.h": "#pragma once\n",
    "src/smv/states/states.h": '#include "smv/syntax/parser.h"\n',
    "src/smv/reader.h": '#include "smv/states/states.h"\n',
}

# what is planted: (file, its text, parts of the messages that must come); 'graph' is what CMake says
PLANTED = [
    ("src/base/id.h", '#include "model/rsm.h"\n', "base may not include model"),
    ("src/model/extra.cpp", '#include "engine/engine.h"\n', "model may not include engine"),
    ("src/check/replay.h", '#include "engine/engine.h"\n', "check may not include engine"),
    ("src/format/rsm_json/read.cpp", '#include "engine/engine.h"\n', "format may not include engine"),
    ("src/engine/lazy/lazy.cpp", '#include "engine/summary/summary.h"\n', "engine/lazy may not include"),
    ("src/engine/lazy/lazy.cpp", '#include "lazy.h"\n', "not written as a path below src/"),
    ("src/engine/lazy/lazy.cpp", "void f() { std::cout << 1; }\n", "neither print nor exit"),
    ("src/engine/lazy/lazy.cpp", "using namespace std;\n", "using namespace std"),
    ("src/smv/syntax/parser.h", '#include "smv/states/states.h"\n', "smv/syntax is a stage before"),
    ("src/smv/states/states.h", '#include "smv/reader.h"\n', "smv/states is a stage before"),
    ("src/explain/paths.h", "#include <fmt/format.h>\n", "<fmt/format.h> takes long to parse"),
    ("src/model/extra.h", "#include <simdjson.h>\n", "<simdjson.h> takes long to parse"),
    ("src/stray.h", "#pragma once\n", "lie in a folder"),
    # the library
    ("src/driver/info.cpp", '#include "model/rsm.h"\n', "the driver is a client of include/nestor"),
    ("src/driver/run.cpp", '#include "base/id.h"\n', ["may not include \"base/id.h\"", "take it off the list"]),
    ("include/nestor/model.h", "#include <fmt/format.h>\n", "may not include fmt/format.h"),
    ("include/nestor/model.h", '#include "model/rsm.h"\n', "may not include model/rsm.h"),
    # the drawing
    ("docs/architecture.md", PAGE + "| `novel` | |\n", "'novel' is in one only"),
    ("docs/architecture.md", PAGE.replace("| `llvm` | |\n", ""), "'llvm' is in one only"),
    ("docs/architecture.md", PAGE.replace("model --> base", "model --> base\n  novel --> base"), ["no such folder in src", "draws novel --> base"]),
    ("docs/architecture.md", PAGE.replace("model --> base", "model --> base\n  model ==> base"), "is no arrow"),
    ("docs/architecture.md", PAGE.replace("format --> model", "format --> explain"), ["draws format --> explain", "nestor_format links nestor_model"]),
    ("docs/architecture.md", PAGE.replace("check --> model", "check --> explain"),
     ["check may never use explain", "draws check --> explain", "nestor_check links nestor_model"]),
    # the targets
    ("graph", GRAPH.replace("nestor_format: nestor_model", "nestor_format: nestor_explain nestor_model"),
     ["nestor_format links nestor_explain", "draws format --> model"]),
    ("graph", GRAPH.replace("nestor_driver: nestor_engine nestor_check", "nestor_driver: nestor_engine"),
     "draws driver --> check"),
    ("graph", GRAPH.replace("nestor_check: nestor_model", "nestor_check: nestor_explain"),
     ["nestor_check may never link nestor_explain", "nestor_check links nestor_explain", "draws check --> model"]),
    ("graph", WITHOUT_LLVM.replace("nestor_format: nestor_model", "nestor_format: nestor_solver nestor_model"),
     ["nestor_format links nestor_solver", "draws format --> model"]),
    # the names
    ("src/engine/lazy/lazy.cpp", "namespace nestor::model {\nstruct Rsm final : Base { int i = 0; };\n}\n",
     "nestor::model::Rsm is defined in"),
    ("src/explain/paths.h", "namespace nestor::model {\nenum class Rsm : int { a, b };\n}\n", "nestor::model::Rsm is defined in"),
    ("src/model/rsm.h", "namespace nestor {\ninline int f(const Rsm& model, int i = 1) { return i; }\n}\n",
     "nestor::f is defined in",
     ("src/explain/paths.h", "namespace nestor {\nint f(const Rsm& rsm, int) {\n  return 2;\n}\n}\n")),
]
# Not refused: a build without LLVM, adapters of a library, overloads, and other namespaces.
INNOCENT = [
    ("graph", WITHOUT_LLVM),
    ("src/base/simdjson.h", "#include <simdjson.h>\n"),
    ("src/explain/paths.cpp", "#include <fmt/format.h>\n"),
    ("src/explain/paths.h", "namespace nestor::model {\nint f(int) { return 1; }\nint g(Rsm r) : a_{1}, b_(2) { return 1; }\n}\n"),
    ("src/explain/paths.h", "namespace nestor::model {\nclass Rsm;\n}\nnamespace nestor::explain {\nstruct Rsm {};\n}\n"),
]
# With a namespace a folder.
MISPLACED = [
    ("src/model/extra.h", "namespace nestor {\nint f(int);\n}\n", "not in namespace nestor::model"),
    ("src/model/extra.h", "namespace nestor::models {\nstruct A {};\n}\n", "not in namespace nestor::model"),
    ("src/model/extra.h", "constexpr int kMost = 1;\n", "not in namespace nestor::model"),
]
PLACED = [
    ("src/model/extra.h", "namespace nestor::engine {\nclass Engine;\n}\nnamespace nestor::model {\nint f(int);\n}\n"),
    ("src/model/extra.h", "template <>\nstruct std::hash<nestor::model::Id> {\n  int f() { return 1; }\n};\n"),
    ("src/model/extra.h", "namespace nestor::model::detail {\nstruct A {};\n}\n"),
]


def problems_of(*planted):
    files = {"graph": GRAPH, **GOOD, **dict(planted)}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return check.check(root, files["graph"], {"driver": {"engine/engine.h"}})


def failures_of(refused, innocent):
    failures = []
    for planted in [(), *([row] for row in innocent)]:
        if found := problems_of(*planted):
            failures.append(f"nothing is wrong with {planted}: {found}")
    for name, text, expected, *more in refused:
        found = problems_of((name, text), *more)
        wanted = [expected] if isinstance(expected, str) else expected
        if len(found) != len(wanted) or not all(any(part in problem for problem in found) for part in wanted):
            failures.append(f"{name} with {text!r}: expected '{expected}', found {found}")
    return failures


def main():
    check.NAMESPACE_A_FOLDER = False
    failures = failures_of(PLANTED, INNOCENT)
    check.NAMESPACE_A_FOLDER = True
    failures += failures_of(MISPLACED, PLACED)
    print("\n".join(failures) or f"{len(PLANTED) + len(MISPLACED)} planted violations found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
