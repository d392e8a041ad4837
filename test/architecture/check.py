#!/usr/bin/env python3
"""Checks the arrows of docs/architecture.md: who may include and link whom. The drawing on that page is the only list of
them; this compares it with the includes, with the targets as CMake has them, and with the names that the files define.

usage: check.py SOURCE-ROOT LINK-GRAPH

LINK-GRAPH is written when the build is configured: a line `nestor_engine: nestor_explain TBB::tbb` a target.
"""

import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import names  # noqa: E402

# Files of src/<folder> declare things in namespace nestor::<folder> only; in nestor::llvm, LLVM's
# own name would be hidden.
NAMESPACE_A_FOLDER = True
# src/api has the names that other programs see.
NAMESPACE_OF = {"llvm": "bitcode", "api": ""}
# Their subfolders know nothing of each other: one engine or format can be read, or removed, alone.
SEPARATE_SUBFOLDERS = {"engine", "format"}
# Never, by whatever way: what checks evidence shares no code with what finds it.
INDEPENDENT = {"check": {"explain", "engine"}}
# Libraries whose headers take long to parse, and the one header that may hand them on: the adapter of a library is
# what its few users include.
HEAVY = {"toml.hpp": "program/toml_file.h", "simdjson.h": "base/simdjson.h", "fmt/format.h": None, "fmt/core.h": None,
         "CLI/CLI.hpp": None, "glpk.h": "net/glpk_library.h", "z3.h": "solver/z3_library.h", "httplib.h": None, "graphviz/gvc.h": None, "mpi.h": "cluster/communicator_mpi.h"}
# Folders that a build may lack.
OPTIONAL = {"llvm", "cluster"}
# The command line and the pages are clients of include/nestor; these have files, JSON, time and memory for them, which
# is no business of a library of model checking (docs/architecture.md). The lists may only shrink.
CLIENTS = {
    "driver": {"base/gzip.h", "base/input.h", "base/json_document.h", "base/json_writer.h", "base/limits.h",
               "base/statistics.h"},
    "view": {"base/gzip.h", "base/input.h", "base/json_writer.h", "base/sha256.h", "base/strong_components.h"},
}
# Clients that another client uses.
BESIDE = {"driver": {"view"}}
# What include/nestor may include besides itself: the standard library, whose headers have no dot and no slash.
PUBLIC_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
# Their subfolders are stages: each knows those before it.
STAGES = {"smv": ["syntax", "terms", "names", "machine", "states"]}

DRAWING = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
ARROW = re.compile(r"^\s*(\w+)\s*-->\s*(\w+(?:\s*&\s*\w+)*)\s*$")
TABLE_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LIBRARY_INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PRINTING = re.compile(r"\bstd::(cout|cerr|clog|exit|abort|puts|printf)\b|(?<![\w:.>])(printf|exit)\s*\(")
USING_STD = re.compile(r"\busing\s+namespace\s+std\b")


def read_drawing(root, problems):
    """folder -> the folders its arrows lead to."""
    page = (root / "docs/architecture.md").read_text(encoding="utf-8")
    drawing = DRAWING.search(page)
    arrows = collections.defaultdict(set)
    for line in drawing[1].splitlines() if drawing else []:
        if match := ARROW.match(line):
            arrows[match[1]] |= set(re.findall(r"\w+", match[2]))
        elif line.strip() and not line.startswith("flowchart"):
            problems.append(f"docs/architecture.md: '{line.strip()}' is no arrow")
    drawn = set(arrows) | {target for targets in arrows.values() for target in targets}
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    listed = set(TABLE_ROW.findall(page))
    for folder in sorted(folders - drawn):
        problems.append(f"docs/architecture.md: src/{folder} is not drawn")
    for folder in sorted(drawn - folders - {"tools"}):
        problems.append(f"docs/architecture.md: '{folder}' is drawn, but there is no such folder in src")
    for folder in sorted(folders ^ listed):
        problems.append(f"docs/architecture.md: '{folder}' is in one only of src and the table of folders")
    return {folder: arrows.get(folder, set()) for folder in drawn}


def closure(arrows):
    """folder -> everything that can be reached by arrows; a cycle reaches itself."""
    reached = {}
    for folder in arrows:
        seen, left = set(), list(arrows[folder])
        while left:
            target = left.pop()
            if target not in seen:
                seen.add(target)
                left += arrows.get(target, ())
        reached[folder] = seen
    return reached


def reduced(arrows):
    """Without the arrows that others imply."""
    reached = closure(arrows)
    return {folder: {target for target in targets
                     if not any(target in reached.get(other, ()) for other in targets - {target})}
            for folder, targets in arrows.items()}


def check_drawing(arrows):
    problems = []
    reached = closure(arrows)
    for folder in sorted(arrows):
        if folder in reached[folder]:
            problems.append(f"docs/architecture.md: the arrows lead from {folder} back to it")
    for folder, apart in INDEPENDENT.items():
        for target in sorted(apart & reached.get(folder, set())):
            problems.append(f"docs/architecture.md: {folder} may never use {target}")
    return problems


def check_includes(allowed, sources):
    problems = []
    for own, text in sources.items():
        folder, subfolder = folder_of(own)
        for included in INCLUDE.findall(text):
            target, target_subfolder = folder_of(included)
            if included not in sources:
                problems.append(f"src/{own}: includes \"{included}\", not written as a path below src/")
            elif target != folder and target not in allowed.get(folder, ()):
                problems.append(f"src/{own}: {folder} may not include {target} (\"{included}\")")
            elif (target == folder and folder in SEPARATE_SUBFOLDERS and subfolder and target_subfolder
                  and subfolder != target_subfolder):
                problems.append(f"src/{own}: {folder}/{subfolder} may not include {included}")
            elif target == folder and subfolder and not is_earlier(folder, target_subfolder, subfolder):
                problems.append(f"src/{own}: {folder}/{subfolder} is a stage before {included}")
    return problems


def check_client(sources, folder, allowed):
    """It sees include/nestor and the headers of `allowed` only; one that it does not include is refused, too."""
    own_folders = {folder} | BESIDE.get(folder, set())
    included = {(own, name) for own, text in sources.items() if folder_of(own)[0] == folder
                for name in INCLUDE.findall(text) if folder_of(name)[0] not in own_folders}
    problems = [f"src/{own}: the {folder} is a client of include/nestor, and may not include \"{name}\""
                for own, name in sorted(included) if name not in allowed]
    return problems + [f"test/architecture: the {folder} does not include \"{name}\" any more: take it off the list"
                       for name in sorted(allowed - {name for _, name in included})]


def check_public(headers):
    """name -> text. No header needs more than the standard library."""
    return [f"include/nestor/{name}: may not include {included}"
            for name, text in headers.items() for included in PUBLIC_INCLUDE.findall(COMMENT.sub("", text))
            if not re.fullmatch(r"nestor/\w+\.h|[a-z_]+", included)]


def folder_of(path):
    """('engine', 'summary') for engine/summary/x.h, ('engine', '') for engine/engine.h."""
    parts = pathlib.PurePosixPath(path).parts
    return parts[0], parts[1] if len(parts) > 2 else ""


def is_earlier(folder, first, then):
    """Or the same stage, or no stages. What lies beside the stages comes after all of them."""
    stages = STAGES.get(folder)
    return not stages or (first in stages and stages.index(first) <= stages.index(then))


def check_habits(sources):
    problems = []
    for own, text in sources.items():
        code = COMMENT.sub("", text)
        if USING_STD.search(code):
            problems.append(f"src/{own}: using namespace std")
        if not own.startswith("driver/") and (printing := PRINTING.search(code)):
            problems.append(f"src/{own}: libraries neither print nor exit: {printing[0]}")
        for library in LIBRARY_INCLUDE.findall(text) if own.endswith(".h") else []:
            if library in HEAVY and HEAVY[library] != own:
                problems.append(f"src/{own}: <{library}> takes long to parse and belongs into .cpp files")
    return problems


def check_targets(graph, arrows):
    """The drawing has exactly the arrows of the targets, those that others imply left out on both sides."""
    links = {}
    for line in graph.splitlines():
        target, _, linked = line.partition(":")
        links[target.removeprefix("nestor_")] = set(re.findall(r"\bnestor_(\w+)", linked))
    missing = OPTIONAL - set(links)
    built = {folder: targets - missing for folder, targets in arrows.items() if folder not in missing | {"tools"}}
    drawn, linked = reduced(built), reduced(links)
    whole, rest = closure(arrows), closure(built)
    problems = []
    for folder in sorted(set(links) | set(drawn)):
        # What the drawing implies only by way of a folder that this build lacks, targets link by themselves.
        through_missing = whole.get(folder, set()) - rest.get(folder, set())
        for target in sorted(linked.get(folder, set()) - drawn.get(folder, set()) - through_missing):
            problems.append(f"nestor_{folder} links nestor_{target}, which docs/architecture.md does not draw")
        for target in sorted(drawn.get(folder, set()) - linked.get(folder, set())):
            problems.append(f"docs/architecture.md draws {folder} --> {target}, but nestor_{folder} does not link it")
    for folder, apart in INDEPENDENT.items():
        for target in sorted(apart & closure(links).get(folder, set())):
            problems.append(f"nestor_{folder} may never link nestor_{target}")
    return problems


def check_names(sources):
    """One name, one thing: two classes of one name are undefined behaviour that no linker reports."""
    problems, seen = [], {}
    for own, text in sources.items():
        folder = folder_of(own)[0]
        for made in names.definitions(text):
            space = f"nestor::{NAMESPACE_OF.get(folder, folder)}".removesuffix("::")
            inside = f"{made.scope}::".startswith((f"{space}::", "std::", "fmt::"))
            # At the top: main, and specialisations for other libraries' templates.
            if NAMESPACE_A_FOLDER and not inside and not (made.scope == "" and "::" in made.name):
                problems.append(f"src/{own}: {made.name} is not in namespace {space}")
            if made.kind == "declaration" or "<anonymous>" in made.scope:
                continue
            name = (made.scope, made.name, made.signature)
            other = seen.setdefault(name, own)
            # Functions of one folder may be alternatives, of which one is compiled; the linker sees to the rest.
            if other != own and (made.kind == "type" or folder_of(other)[0] != folder):
                problems.append(f"src/{own}: {made.scope}::{made.name} is defined in src/{other} as well")
    return problems


def read_sources(root, problems):
    sources = {}
    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp")):
        own = path.relative_to(root / "src").as_posix()
        if "/" not in own:
            problems.append(f"src/{own}: source files lie in a folder of src/")
        else:
            sources[own] = path.read_text(encoding="utf-8")
    return sources


def check(root, graph, clients=None):
    problems = []
    arrows = read_drawing(root, problems)
    sources = read_sources(root, problems)
    headers = {path.name: path.read_text(encoding="utf-8") for path in sorted((root / "include/nestor").glob("*"))}
    return (problems + check_drawing(arrows) + check_includes(closure(arrows), sources) + check_habits(sources)
            + check_targets(graph, arrows) + check_names(sources)
            + [problem for folder, uses in (CLIENTS if clients is None else clients).items()
               for problem in check_client(sources, folder, uses)] + check_public(headers))


def main():
    problems = check(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
