#!/usr/bin/env python3
"""Installs the build tree into an empty prefix and builds examples/api against it: by CMake's find_package, and one by
pkg-config; runs them, and looks at what the shared library shows.

usage: installed.py BUILD-FOLDER SOURCE-ROOT
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PUBLIC = re.compile(r" [TVWBDR] (?:typeinfo (?:name )?for |vtable for )?nestor::")


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more).stdout


def expect(condition, what):
    if not condition:
        raise SystemExit(what)


def check_symbols(library):
    """Nothing is shown but what include/nestor declares."""
    shown = [line for line in run("nm", "-DC", "--defined-only", library).splitlines()]
    strange = [line for line in shown if not PUBLIC.search(line) or re.search(r"nestor::[a-z_]+::", line)]
    expect(len(shown) > 50, f"{library} shows {len(shown)} symbols")
    expect(not strange, f"{library} shows {strange[:3]}")
    expect("libnestor.so.0" in run("objdump", "-p", library), "the soname is not libnestor.so.0")


def check_programs(folder, prefix, root):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(prefix / "lib")}
    command = ["check", "--witness", "examples/dataflow.rsm", "examples/dataflow.ctl"]
    of_command = subprocess.run([prefix / "bin/nestor", *command], capture_output=True, text=True, cwd=root, check=False)
    of_library = run(folder / "check_file", *command[2:], cwd=root, env=environment)
    same = re.sub(r"(?m)^(holds|fails)\s+(?:\w+: )?", r"\1 ", of_command.stdout)
    expect(of_library == same, f"check_file differs from nestor check --witness:\n{of_library}\n{same}")
    built = run(folder / "build_model", env=environment)
    expect(built.startswith("holds EF done\nfails AF done\n") and built.endswith("the proof is accepted\n"), built)
    river = run(folder / "on_the_fly", env=environment).splitlines()
    # Seven crossings are the fewest there are.
    expect(river[0] == "holds" and river[1] == "FWGC" and river[-1] == "----" and len(river) == 9, river)


def example_of_header(path):
    """The program in the comment that the first header opens with."""
    comment = re.search(r"(?:^//     .*\n|^//\n)+", path.read_text(encoding="utf-8"), re.MULTILINE)[0]
    return "".join(line.removeprefix("//     ") for line in comment.splitlines(keepends=True) if line != "//\n")


def check_static(scratch, prefix):
    """One program with the static library, which needs no other file of Nestor's to run."""
    source = scratch / "static"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(one LANGUAGES CXX)\n"
        "find_package(Nestor REQUIRED COMPONENTS static)\nadd_executable(one one.cpp)\n"
        "target_link_libraries(one PRIVATE nestor::static)\n", encoding="utf-8")
    (source / "one.cpp").write_text(
        "#include <nestor/nestor.h>\nint main() { return nestor::engines().empty() ? 1 : 0; }\n", encoding="utf-8")
    run("cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", source / "build")
    run(source / "build/one")


def main():
    build, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch_name:
        scratch = pathlib.Path(scratch_name)
        prefix = scratch / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        check_symbols(prefix / "lib/libnestor.so")
        examples = scratch / "examples"
        run("cmake", "-S", root / "examples/api", "-B", examples, f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", examples)
        check_programs(examples, prefix, root)
        flags = run("pkg-config", "--cflags", "--libs", "nestor",
                    env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}).split()
        (scratch / "header.cpp").write_text(example_of_header(prefix / "include/nestor/nestor.h"), encoding="utf-8")
        run("c++", "-std=c++20", scratch / "header.cpp", *flags, "-o", examples / "check_file")
        check_programs(examples, prefix, root)  # the header's example does the same
        check_static(scratch, prefix)
        # What 'make uninstall' removes is all that was installed.
        for name in (build / "install_manifest.txt").read_text(encoding="utf-8").splitlines():
            pathlib.Path(name).unlink()
        left = [path for path in prefix.rglob("*") if not path.is_dir()]
        expect(not left, f"after uninstalling there is still {left[:3]}")
    print("three programs built against an installed tree")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd}: {error.stdout}{error.stderr}")
