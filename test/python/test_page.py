"""The code of docs/python.md runs, and prints what the page says."""

import contextlib
import io
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def test_page(tmp_path):
    pytest.importorskip("networkx")
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(page)
    assert len(blocks) > 5
    names, before = {}, os.getcwd()
    os.chdir(ROOT)
    try:
        for code, expected in blocks:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "docs/python.md", "exec"), names)  # each goes on where the last ended
            if expected:
                assert printed.getvalue() == expected
    finally:
        os.chdir(before)
