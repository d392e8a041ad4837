#!/usr/bin/env python3
"""Plants violations in a made-up source tree and requires that check.py finds each of them."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check  # noqa: E402

GOOD = {
    "src/base/id.h": "#pragma once\n",
    "src/model/rsm.h": '#include "base/id.h"\n#include <vector>\n',
    "src/model/CMakeLists.txt": "nestor_library(nestor_model\n  SOURCES rsm.cpp\n  DEPENDS nestor_base)\n",
    "src/engine/engine.h": '#include "model/rsm.h"\n',
    "src/engine/lazy/lazy.cpp": '#include "engine/engine.h"\n// std::cout is not for engines\n',
    "src/engine/summary/summary.h": '#include "engine/engine.h"\n',
    "src/format/rsm_json/read.cpp": '#include "model/rsm.h"\n',
    "src/driver/run.cpp": '#include "engine/engine.h"\n#include <iostream>\n',
    "src/check/replay.h": '#include "model/rsm.h"\n',
    "src/smv/syntax/parser.h": "#pragma once\n",
    "src/smv/states/states.h": '#include "smv/syntax/parser.h"\n',
    "src/smv/reader.h": '#include "smv/states/states.h"\n',
}

# what is planted: (file, its text, part of the message that must come)
PLANTED = [
    ("src/base/id.h", '#include "model/rsm.h"\n', "base may not include model"),
    ("src/model/extra.cpp", '#include "engine/engine.h"\n', "model may not include engine"),
    ("src/check/replay.h", '#include "engine/engine.h"\n', "check may not include engine"),
    ("src/format/rsm_json/read.cpp", '#include "engine/engine.h"\n', "format may not include engine"),
    ("src/engine/lazy/lazy.cpp", '#include "engine/summary/summary.h"\n', "engine/lazy may not include"),
    ("src/engine/lazy/lazy.cpp", '#include "lazy.h"\n', "not written as a path below src/"),
    ("src/engine/lazy/lazy.cpp", "void f() { std::cout << 1; }\n", "neither print nor exit"),
    ("src/engine/lazy/lazy.cpp", "using namespace std;\n", "using namespace std"),
    ("src/model/CMakeLists.txt", "nestor_library(nestor_model SOURCES a.cpp DEPENDS nestor_engine)\n",
     "nestor_model may not link nestor_engine"),
    ("src/smv/syntax/parser.h", '#include "smv/states/states.h"\n', "smv/syntax is a stage before"),
    ("src/smv/states/states.h", '#include "smv/reader.h"\n', "smv/states is a stage before"),
    ("src/novel/a.h", "#pragma once\n", "unknown folder 'novel'"),
    ("src/stray.h", "#pragma once\n", "lie in a folder"),
]


def problems_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return check.check(root)


def main():
    failures = []
    if problems_of(GOOD):
        failures.append(f"the clean tree is blamed: {problems_of(GOOD)}")
    for name, text, expected in PLANTED:
        found = problems_of({**GOOD, name: text})
        if len(found) != 1 or expected not in found[0]:
            failures.append(f"{name} with {text!r}: expected '{expected}', found {found}")
    print("\n".join(failures) or f"{len(PLANTED)} planted violations found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
