#!/usr/bin/env python3
"""The reference of the Python module as a page, from its source alone: nothing needs to be built.

usage: python_reference.py FILE
"""

import ast
import sys


def signature(function):
    arguments = ast.unparse(function.args)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({arguments}){returns}"


def described(node):
    return (ast.get_docstring(node) or "").replace("\n", "\n\n")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        module = ast.parse(file.read())
    print("# The Python module\n\n[python.md](python.md) is the tutorial.\n")
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            print(f"## {node.name}\n\n    {signature(node)}\n\n{described(node)}\n")
        elif isinstance(node, ast.ClassDef):
            print(f"## {node.name}\n\n{described(node)}\n")
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and (not member.name.startswith("_") or member.name == "__init__"):
                    print(f"    {signature(member)}\n\n{described(member)}\n")


if __name__ == "__main__":
    main()
