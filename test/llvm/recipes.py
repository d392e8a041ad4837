#!/usr/bin/env python3
"""Runs the recipes of docs/c-programs.md that make bitcode without the compiler wrapper.

usage: recipes.py NESTOR SOURCE-ROOT

The commands are taken from the page itself and run on two small projects: one with autoconf and automake, one with
CMake, each a program and a static library. The bitcode that the linker leaves must hold both, and no other member of
the library. bench/programs/build.sh runs the same recipes on memcached and ninja. Skipped where a tool is missing.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

TOOLS = ["clang-19", "clang++-19", "ld.lld-19", "llvm-ar-19", "llvm-ranlib-19", "cmake", "make", "autoreconf", "automake"]
SOURCES = {
    "main.c": "int helper(int);\nint main(int argc, char **argv) { (void)argv; return helper(argc); }\n",
    "helper.c": "int helper(int n) { return n - 1; }\n",
    "unused.c": "int unused(int n) { return n; }\n",
}
AUTOTOOLS = {
    "configure.ac": "AC_INIT([small], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nAC_PROG_RANLIB\n"
                    "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    "Makefile.am": "noinst_LIBRARIES = libsmall.a\nlibsmall_a_SOURCES = helper.c unused.c\nbin_PROGRAMS = PROG\n"
                   "PROG_SOURCES = main.c\nPROG_LDADD = libsmall.a\n",
}
CMAKE = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(small C CXX)\nadd_library(small STATIC helper.c unused.c)\n"
                      "add_executable(PROG main.c)\ntarget_link_libraries(PROG small)\n",
}


def recipes(page):
    """The indented blocks of the page that call configure and cmake."""
    blocks = re.findall(r"(?m)(?:^    .*\n)+", page)
    return (next(b for b in blocks if "./configure CC=" in b), next(b for b in blocks if "cmake -S . -B build" in b))


def run(command, folder):
    done = subprocess.run(["bash", "-ec", command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")


def check(nestor, bitcode):
    info = json.loads(subprocess.run([nestor, "info", "--json", str(bitcode)], capture_output=True, text=True,
                                     check=True).stdout)
    problems = [] if info["components"] == 2 else [f"{info['components']} functions, expected main and helper"]
    done = subprocess.run([nestor, "check", str(bitcode), "-f", 'EF (call_helper & EF exit_main) & EF "def_main::argc"'],
                          capture_output=True, text=True, check=False)
    return problems + ([] if done.returncode == 0 else [f"check: {done.stdout}{done.stderr}"])


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing or not features.has_llvm(nestor):
        print(f"skipped: needs a nestor with LLVM, and {' '.join(missing)}")
        return features.SKIPPED
    configure, cmake = recipes((root / "docs" / "c-programs.md").read_text(encoding="utf-8"))
    configure = "\n".join(line for line in configure.splitlines() if "nestor" not in line)
    problems = []
    for files, command, bitcode in ((AUTOTOOLS, "autoreconf -i\n" + configure, "PROG.0.0.preopt.bc"),
                                    (CMAKE, cmake + "\ncmake --build build", "build/PROG.0.0.preopt.bc")):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in {**SOURCES, **files}.items():
                (folder / path).write_text(text, encoding="utf-8")
            try:
                run(command, folder)
                problems += [f"{bitcode}: {problem}" for problem in check(nestor, folder / bitcode)]
            except RuntimeError as error:
                problems.append(str(error))
    for problem in problems:
        print(problem)
    print(f"2 recipes, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
