#!/usr/bin/env python3
"""The figures of the pages are what the benchmarks measured: nobody types them.

A benchmark stores a table as bench/results/NAME.csv, its cells as a page shows them, or a piece of a page as
bench/results/NAME.md. Pages hold them between

    <!-- begin: NAME -->
    <!-- end -->

and this rewrites them from what is stored. test/docs checks that pages and results agree.

usage: figures.py
"""

import csv
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- begin: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def store(name, header, rows):
    path = ROOT / "bench/results" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    print("\n" + table(path), flush=True)


def store_text(name, text):
    (ROOT / "bench/results" / f"{name}.md").write_text(text + "\n", encoding="utf-8")
    print(f"\n{text}\n", flush=True)


def block_of(results, name):
    """The text of a result; None if there is none."""
    if (results / f"{name}.csv").exists():
        return table(results / f"{name}.csv")
    text = results / f"{name}.md"
    return text.read_text(encoding="utf-8") if text.exists() else None


def table(path):
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in [header, ["---"] * len(header), *rows]
                   ).replace(" --- ", "---")


def rewritten(text, results, problems):
    def block(match):
        found = block_of(results, match[2])
        if found is None:
            problems.append(f"there are no results '{match[2]}'")
            return match[0]
        return f"{match[1]}\n{found}\n{match[4]}"
    return BLOCK.sub(block, text)


def differences(root):
    """What is wrong with the pages below `root`: figures that are not those stored, results that no page shows."""
    problems, shown = [], set()
    for page in sorted((root / "docs").glob("*.md")):
        text, found = page.read_text(encoding="utf-8"), []
        if rewritten(text, root / "bench/results", found) != text:
            found.append("its figures are not those of bench/results; run bench/figures.py")
        problems += [f"{page.relative_to(root)}: {problem}" for problem in found]
        shown |= {match[2] for match in BLOCK.finditer(text)}
    for path in sorted((root / "bench/results").iterdir()):
        if path.stem not in shown:
            problems.append(f"{path.relative_to(root)}: no page shows it")
    return problems


def rewrite():
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := rewritten(text, ROOT / "bench/results", [])) != text:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
