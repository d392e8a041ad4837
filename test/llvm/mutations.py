#!/usr/bin/env python3
"""Damages bitcode and assembly, and checks that Nestor refuses or reads what is left.

usage: mutations.py NESTOR [COUNT [SEED]]

Bytes of the files are changed, cut out, doubled and mixed. Whatever comes of it, Nestor must end with a status of its
own: no crash, no internal error. What it refuses it must name, assembly with line and column of the mistake. What it
reads goes through all of it: the model, and every rule. Skipped where Nestor was built without LLVM, or clang 19 is missing.
"""

import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "random"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402
from scale import scaled  # noqa: E402

FLAGS = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-w"]
# Words of assembly in place of others of their kind: these are often read, and then say something strange.
WORDS = [[b"i32", b"i64", b"ptr", b"i1", b"void"], [b"load", b"store", b"call", b"alloca", b"ret", b"br", b"getelementptr"],
         [b"null", b"undef", b"poison", b"zeroinitializer", b"true", b"-1", b"0", b"1", b"2", b"99999999999"],
         [b"internal", b"private", b"external", b"weak", b"available_externally", b"dso_local"],
         [b"!DISubroutineType", b"!DIDerivedType", b"!DICompositeType", b"!DILocalVariable", b"!DISubprogram"],
         [b"DW_TAG_pointer_type", b"DW_TAG_typedef", b"DW_TAG_structure_type", b"DW_TAG_member", b"DW_TAG_array_type"]]


def numbers_swapped(text, rng):
    """One reference to metadata or a value becomes another."""
    found = list(re.finditer(rb"[!%@#]\d+", text))
    if len(found) < 2:
        return text
    one, other = rng.sample(found, 2)
    return text[:one.start()] + other.group() + text[one.end():]


def word_replaced(text, rng):
    words = rng.choice(WORDS)
    found = list(re.finditer(b"|".join(map(re.escape, words)), text))
    if not found:
        return text
    place = rng.choice(found)
    return text[:place.start()] + rng.choice(words) + text[place.end():]


def bytes_changed(text, rng):
    at = rng.randrange(len(text))
    size = rng.randint(1, min(40, len(text) - at))
    kind = rng.randrange(4)
    if kind == 0:
        return text[:at] + bytes([text[at] ^ (1 << rng.randrange(8))]) + text[at + 1:]
    if kind == 1:
        return text[:at] + text[at + size:]
    if kind == 2:
        return text[:at] + text[at:at + size] + text[at:]
    other = rng.randrange(len(text))
    return text[:at] + text[other:other + size] + text[at + size:]


def mutated(text, is_assembly, rng):
    for _ in range(rng.randint(1, 3)):
        change = rng.choice([numbers_swapped, numbers_swapped, word_replaced, bytes_changed] if is_assembly else [bytes_changed])
        text = change(text, rng) or text
    return text


def problem_with(nestor, path, is_assembly):
    for command in (["info"], ["lint", "--quiet", "--all-rules"]):
        done = subprocess.run([nestor, *command, str(path)], capture_output=True, check=False, timeout=600)
        error = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 1, 2, 3) or (command[0] == "info" and done.returncode in (1, 3)):
            return f"{command[0]}: exit status {done.returncode}: {error[-300:]}"
        if done.returncode == 2:
            syntax = is_assembly and "no LLVM bitcode or assembly" in error and "damaged" not in error
            if not re.search(re.escape(str(path)) + (r":\d+:\d+: error: ." if syntax else r":.*error: ."), error):
                return f"{command[0]}: the message does not say where: {error[-300:]}"
            return None
    return ""


def main():
    nestor = sys.argv[1]
    count = scaled(int(sys.argv[2]) if len(sys.argv) > 2 else 150)
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    rng = random.Random(seed)
    sources = sorted((pathlib.Path(__file__).parent / "programs").glob("*.c*"))
    problems, read = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        texts = []
        for source in sources:
            for suffix, flag in ((".bc", "-c"), (".ll", "-S")):
                output = folder / (source.stem + suffix)
                compiler = "clang++-19" if source.suffix == ".cpp" else "clang-19"
                subprocess.run([compiler, *FLAGS, flag, str(source), "-o", str(output)], check=True)
                texts.append((output.read_bytes(), suffix))
        for i in range(count):
            text, suffix = rng.choice(texts)
            path = folder / f"mutated{suffix}"
            path.write_bytes(mutated(text, suffix == ".ll", rng))
            try:
                problem = problem_with(nestor, path, suffix == ".ll")
            except subprocess.TimeoutExpired:
                problem = "does not end"
            read += problem == ""
            if problem:
                kept = pathlib.Path(tempfile.gettempdir()) / f"nestor-mutation-{seed}-{i}{suffix}"
                shutil.copy(path, kept)
                problems.append(f"{kept}: {problem}")
    for problem in problems:
        print(problem)
    print(f"{count} mutations, {read} of them read, {len(problems)} problems")
    return 1 if problems or read < count // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
