"""What a C++ file defines at namespace scope, read by a small scanner: no compiler is needed.

It knows comments, literals, preprocessor lines and braces; it does not know templates or macros that open braces, which
this code does not have.
"""

import dataclasses
import re

TOKEN = re.compile(r"""
    //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.)*      # comments and preprocessor lines: dropped
  | (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
  | (?P<string>"(?:[^"\\\n]|\\.)*" | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*')
  | (?P<word>[A-Za-z_]\w*) | (?P<number>\d[\w.']*) | (?P<sign>::|->|\S)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
TYPE_WORDS = {"class", "struct", "union", "enum"}


@dataclasses.dataclass
class Definition:
    kind: str       # type, function, declaration (everything else)
    scope: str      # the namespace, '' for the global one; 'a::<anonymous>' inside unnamed ones
    name: str       # as written, 'Outer::inner' for members defined outside their class
    signature: str  # types of the parameters of functions


def tokens_of(text):
    return [m.group(0) for m in TOKEN.finditer(text) if m.lastgroup]


def without_templates(tokens):
    """Drops `template <...>` in front, requires-free."""
    while tokens[:1] == ["template"] and tokens[1:2] == ["<"]:
        depth = 0
        for at, token in enumerate(tokens):
            depth += (token == "<") - (token == ">")
            if token == ">" and depth == 0:
                tokens = tokens[at + 1:]
                break
        else:
            return []
    return tokens


def without_attributes(tokens):
    kept, depth = [], 0
    for at, token in enumerate(tokens):
        if token == "[" and tokens[at + 1:at + 2] == ["["]:
            depth += 1
        if depth == 0:
            kept.append(token)
        if token == "]" and at > 0 and tokens[at - 1] == "]":
            depth = max(0, depth - 1)
    return kept


def parameter_types(tokens):
    """The parameters without their names and default values, as one text."""
    parameters, depth, current = [], 0, []
    for token in [*tokens, ","]:
        depth += (token in "<([{") - (token in ">)]}")
        if token == "," and depth == 0:
            if "=" in current:
                current = current[:current.index("=")]
            if len(current) > 1 and re.match(r"[A-Za-z_]\w*$", current[-1]) and current[-2] != "::":
                current = current[:-1]
            parameters.append(" ".join(current))
            current = []
        else:
            current.append(token)
    return ", ".join(parameters)


def end_of_parameters(head, first):
    depth = 0
    for at in range(first, len(head)):
        depth += (head[at] == "(") - (head[at] == ")")
        if depth == 0:
            return at
    return len(head)


def described(head, scope):
    """What the tokens before a `{` or `;` at namespace scope define."""
    head = without_attributes(without_templates(head))
    first = head.index("(") if "(" in head else 0
    if head and head[0] in TYPE_WORDS and not first:
        name = head[2:] if head[:2] in (["enum", "class"], ["enum", "struct"]) else head[1:]
        end = next((at for at, token in enumerate(name) if token in (":", "final")), len(name))
        return Definition("type", scope, "".join(name[:end]), "")
    if first and "=" not in head[:first] and head[0] not in ("using", "typedef", "static_assert", "static"):
        start = first - 1
        while start > 1 and head[start - 1] in ("::", "~"):
            start -= 2 if head[start - 1] == "::" else 1
        last = end_of_parameters(head, first)
        return Definition("function", scope, "".join(head[start:first]), parameter_types(head[first + 1:last]))
    return Definition("declaration", scope, " ".join(head[:6]), "")


def initialises_member(head):
    """Whether the next `{` belongs to a member in the list after a constructor's parameters."""
    if "(" not in head or head[-1] in (")", "}"):
        return False
    return ":" in head[end_of_parameters(head, head.index("(")):]


def is_forward(head):
    """`class X;`"""
    head = without_templates(head)
    return bool(head) and head[0] in TYPE_WORDS and "(" not in head and "=" not in head


def definitions(text):
    """Everything that is defined or declared at namespace scope; `class X;` alone counts for nothing."""
    found, scopes, head, depth, after = [], [], [], 0, []
    for token in tokens_of(text):
        scope = "::".join(scopes)
        if depth > 0:  # inside the braces of a type, a function or a value
            depth += (token == "{") - (token == "}")
            if depth == 0:
                head = after
        elif token == "{" and "namespace" in head[:2]:
            scopes.append("".join(head[head.index("namespace") + 1:]) or "<anonymous>")
            head = []
        elif token == "{" and initialises_member(head):
            depth, after = 1, [*head, "}"]
        elif token == "{":
            found.append(described(head, scope))
            # After a type or a value comes a `;`.
            depth, after = 1, [] if found[-1].kind == "function" else [";"]
        elif token == "}":
            scopes = scopes[:-1]
            head = []
        elif token == ";":
            if head and head[0] != ";" and not is_forward(head):
                found.append(dataclasses.replace(described(head, scope), kind="declaration"))
            head = []
        else:
            head.append(token)
    return found
