#!/usr/bin/env python3
"""Wraps the paragraphs of the pages that are wider than check.py allows; leaves all others as they are.

usage: wrap.py SOURCE-ROOT
"""

import pathlib
import re
import sys

import check

ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
NOT_TEXT = ("|", "#", "<", "    ")
# At the beginning of a line these would mean something else.
NEVER_FIRST = re.compile(r"[-+*>|=]|#+|\d+[.)]")


def filled(text, first, rest):
    lines, line, empty = [], first, True
    words = []
    for word in text.split():
        if words and NEVER_FIRST.fullmatch(word):
            words[-1] += f" {word}"
        else:
            words.append(word)
    for word in words:
        if not empty and len(line) + 1 + len(word) > check.COLUMNS:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def paragraph(lines, start):
    """The end of the paragraph or item that begins there."""
    end = start + 1
    while end < len(lines) and lines[end].strip() and not ITEM.match(lines[end]) \
            and not lines[end].startswith(NOT_TEXT[:3]) and not lines[end].lstrip().startswith("```") \
            and not (lines[end].startswith(NOT_TEXT[3]) and not ITEM.match(lines[start])):
        end += 1
    return end


def wrapped(text):
    lines, out, at, fenced = text.split("\n"), [], 0, False
    while at < len(lines):
        line, end = lines[at], at + 1
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if not (fenced or fence or line.startswith(NOT_TEXT) or not line.strip()):
            end = paragraph(lines, at)
            if max(map(len, lines[at:end])) > check.COLUMNS:
                first = (ITEM.match(line) or re.match(r"\s*", line))[0]
                text = " ".join([line[len(first):], *lines[at + 1:end]])
                lines[at:end] = filled(text, first, " " * len(first))
                end = paragraph(lines, at)
        out += lines[at:end]
        at = end
    return "\n".join(out)


def main():
    for page in check.pages(pathlib.Path(sys.argv[1])):
        text = page.read_text(encoding="utf-8")
        if check.too_wide(text):
            page.write_text(wrapped(text), encoding="utf-8")


if __name__ == "__main__":
    main()
