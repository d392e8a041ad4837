#!/usr/bin/env python3
"""The reference of the Python module as a page, from its sources alone: nothing needs to be built.

usage: python_reference.py FILE…

Only what the list __all__ in one of the files names is told.
"""

import ast
import sys


def signature(function):
    arguments = ast.unparse(function.args)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({arguments}){returns}"


def described(node):
    return (ast.get_docstring(node) or "").replace("\n", "\n\n")


def print_class(node):
    print(f"## {node.name}\n\n{described(node)}\n")
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and not member.target.id.startswith("_"):
            kind = member.annotation.slice if isinstance(member.annotation, ast.Subscript) else member.annotation
            print(f"    {member.target.id}: {ast.unparse(kind if 'Final' in ast.unparse(member.annotation) else member.annotation)}")
        elif isinstance(member, ast.FunctionDef) and (not member.name.startswith("_") or member.name == "__init__"):
            print(f"    {signature(member)}\n\n{described(member)}\n")
    print()


def names_of(modules):
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return set(ast.literal_eval(node.value))
    raise SystemExit("no __all__")


def main():
    modules = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            modules.append(ast.parse(file.read()))
    left = names_of(modules)
    print("# The Python module\n\n[python.md](python.md) is the tutorial.\n")
    for node in (node for module in modules for node in module.body):
        if getattr(node, "name", None) not in left:
            continue
        left.remove(node.name)
        if isinstance(node, ast.FunctionDef):
            print(f"## {node.name}\n\n    {signature(node)}\n\n{described(node)}\n")
        else:
            print_class(node)


if __name__ == "__main__":
    main()
