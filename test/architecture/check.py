#!/usr/bin/env python3
"""Checks the arrows of docs/architecture.md: who may include and link whom.

usage: check.py SOURCE-ROOT
"""

import pathlib
import re
import sys

# folder below src/ -> the folders it may use besides itself
ALLOWED = {
    "base": set(),
    "model": {"base"},
    "logic": {"base", "model"},
    "generate": {"base", "model", "logic"},
    "witness": {"base", "model", "logic"},
    "explain": {"base", "model", "logic", "witness"},
    "engine": {"base", "model", "logic", "witness", "explain"},
    "check": {"base", "model", "logic", "witness"},
    "smv": {"base", "model", "logic"},
    "net": {"base", "model", "logic"},
    "format": {"base", "model", "logic", "smv", "net"},
    "program": {"base", "model", "logic"},
    "llvm": {"base", "model", "logic", "program"},
    "lint": {"base", "model", "logic", "program", "witness", "explain", "engine"},
    "driver": {"base", "model", "logic", "generate", "witness", "explain", "engine", "check", "format", "program", "llvm", "lint"},
}
# Their subfolders know nothing of each other: one engine or format can be read, or removed, alone.
SEPARATE_SUBFOLDERS = {"engine", "format"}
# Their subfolders are stages: each knows those before it.
STAGES = {"smv": ["syntax", "terms", "names", "machine", "states"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PRINTING = re.compile(r"\bstd::(cout|cerr|clog|exit|abort|puts|printf)\b|(?<![\w:.>])(printf|exit)\s*\(")
USING_STD = re.compile(r"\busing\s+namespace\s+std\b")


def folder_of(path):
    """('engine', 'summary') for engine/summary/x.h, ('engine', '') for engine/engine.h."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[0], parts[1] if len(parts) > 2 else ""


def is_earlier(folder, first, then):
    """Or the same stage, or no stages. What lies beside the stages comes after all of them."""
    stages = STAGES.get(folder)
    return not stages or (first in stages and stages.index(first) <= stages.index(then))


def check_includes(root):
    problems = []
    sources = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    for source in sources:
        own = source.relative_to(root / "src").as_posix()
        if "/" not in own:
            problems.append(f"src/{own}: source files lie in a folder of src/")
            continue
        folder, subfolder = folder_of(own)
        text = source.read_text(encoding="utf-8")
        if folder not in ALLOWED:
            problems.append(f"src/{own}: unknown folder '{folder}', add it to {pathlib.Path(__file__).name}")
            continue
        for included in INCLUDE.findall(text):
            target, target_subfolder = folder_of(included)
            if not (root / "src" / included).exists():
                problems.append(f"src/{own}: includes \"{included}\", not written as a path below src/")
            elif target != folder and target not in ALLOWED[folder]:
                problems.append(f"src/{own}: {folder} may not include {target} (\"{included}\")")
            elif (target == folder and folder in SEPARATE_SUBFOLDERS and subfolder and target_subfolder
                  and subfolder != target_subfolder):
                problems.append(f"src/{own}: {folder}/{subfolder} may not include {included}")
            elif target == folder and subfolder and not is_earlier(folder, target_subfolder, subfolder):
                problems.append(f"src/{own}: {folder}/{subfolder} is a stage before {included}")
        code = COMMENT.sub("", text)
        if USING_STD.search(code):
            problems.append(f"src/{own}: using namespace std")
        if folder != "driver" and PRINTING.search(code):
            problems.append(f"src/{own}: libraries neither print nor exit: {PRINTING.search(code).group(0)}")
    return problems


def check_targets(root):
    """Each CMake target nestor_<folder> links only targets of folders that <folder> may use."""
    problems = []
    for lists in sorted((root / "src").rglob("CMakeLists.txt")):
        text = re.sub(r"#[^\n]*", "", lists.read_text(encoding="utf-8"))
        calls = re.findall(r"\b(?:nestor_library|target_link_libraries)\s*\(\s*nestor_(\w+)([^)]*)\)", text)
        for folder, arguments in calls:
            for target in re.findall(r"\bnestor_(\w+)", arguments):
                if target != folder and target not in ALLOWED.get(folder, set()):
                    problems.append(f"{lists.relative_to(root)}: nestor_{folder} may not link nestor_{target}")
    return problems


def check(root):
    return check_includes(root) + check_targets(root)


def main():
    problems = check(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
