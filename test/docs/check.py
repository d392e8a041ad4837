#!/usr/bin/env python3
"""Pages are at most 100 columns wide, and their figures are those that the benchmarks stored.

usage: check.py SOURCE-ROOT
"""

import pathlib
import re
import sys

COLUMNS = 100
LINK = re.compile(r"\S*\]\(\S+\)\S*|\S*https?://\S+")


def pages(root):
    return sorted([root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").glob("*.md")])


def too_wide(text):
    """The numbers of lines that are too wide. Tables, code and single links cannot be broken."""
    numbers, fenced = [], False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        code = fenced or fence or line.startswith("    ")
        words = line.split()
        alone = len(words) <= 2 and any(LINK.fullmatch(word) for word in words)
        if len(line) > COLUMNS and not code and not line.startswith("|") and not alone:
            numbers.append(number)
    return numbers


def main():
    root = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(root / "bench"))
    import figures
    problems = [f"{page.relative_to(root)}:{number}: more than {COLUMNS} columns"
                for page in pages(root) for number in too_wide(page.read_text(encoding="utf-8"))]
    problems += figures.differences(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
