"""What certificates of both kinds have: lines, formulas, instances with their boxes (docs/certificates.md).

A part of verify.py, which says more.
"""

import hashlib
import json
import pathlib
import re
import types
import zlib


class Refusal(Exception):
    """What is wrong with a certificate, and in which line."""

    def __init__(self, line, why):
        super().__init__(f"{line}: {why}" if line else why)


def need(condition, line, why):
    if not condition:
        raise Refusal(line, why)


# ---- the model ----
# Places in a component: ("node", k), ("call", box, k) and ("return", box, k), where k counts the
# nodes of the component, or of the box's callee.

class Component:
    def __init__(self, data):
        self.name, self.nodes, self.boxes = data["name"], data["nodes"], data["boxes"]
        self.place_of_node = {node["name"]: k for k, node in enumerate(self.nodes)}
        self.place_of_box = {box["name"]: k for k, box in enumerate(self.boxes)}
        self.exits = {k for k, node in enumerate(self.nodes) if node["is_exit"]}

    def connect(self, transitions, components):
        self.callee = [components[box["component"]] for box in self.boxes]
        self.successors = {}
        for targets, source in [(t["targets"], t["source"]) for t in transitions if t["targets"]]:
            self.successors.setdefault(self.place(source, "return"), []).extend(
                self.place(target, "call") for target in targets)

    def place(self, reference, kind):
        if reference["type"] == "node":
            return ("node", self.place_of_node[reference["name"]])
        box = self.place_of_box[reference["box_name"]]
        return (kind, box, self.callee[box].place_of_node[reference["node_name"]])

    def next(self, place):
        return self.successors.get(place, [])

    def describe(self, place):
        kind, *path = place
        names = [self.nodes[path[0]]] if kind == "node" else [
            self.boxes[path[0]], self.callee[path[0]].nodes[path[1]]]
        return ".".join([self.name] + [item["name"] for item in names])


class Model:
    def __init__(self, path):
        content = pathlib.Path(path).read_bytes()
        self.hash = hashlib.sha256(content).hexdigest()
        data = json.loads(content)
        self.components = {c["name"]: Component(c) for c in data["components"]}
        for c in data["components"]:
            self.components[c["name"]].connect(c["transitions"], self.components)
        self.initial = self.components[data["initial_component"]]
        names = data.get("initial_nodes") or [data.get("initial_node")]
        if names in ([None], [""]):
            names = [node["name"] for node in self.initial.nodes if node["is_entry"]]
        self.initial_nodes = [self.initial.place_of_node[name] for name in names]


# ---- the certificate ----
# An instance has its line, component, box: box -> instance number, and tables that its kind of certificate
# fills; lines: of its boxes, contexts and values.

class Frame:
    OPERANDS = {}  # of the operators that there are
    TABLES = ()  # of an instance

    def __init__(self, model):
        self.model, self.line, self.rest = model, 0, None
        self.formulas, self.instances = [], []  # a formula: [operator, operands]; ap: the proposition
        self.items = []  # facts and the dead in the order of the file: line, instance number, key in its table
        self.repeated = None  # the first item that says what another one said

    # -- lines and fields; rest is what is left of a line, None at its end --

    def need(self, condition, why):
        need(condition, max(self.line, 1), why)

    def lines(self, content):
        lines = content.split("\n")
        for self.line, line in enumerate(lines if lines[-1] else lines[:-1], 1):
            comment = re.fullmatch(r'((?:[^#"]|"(?:[^"\\]|\\.)*")*)#.*', line, re.DOTALL) if "#" in line else None
            line = (comment.group(1) if comment else line).rstrip(" ")
            if line:
                self.rest = line
                yield line

    def next_line(self, lines):
        line = next(lines, None)
        self.need(line is not None, "the certificate ends without 'end'")
        return line

    def word(self):
        self.need(self.rest, "expected another field")
        field, space, rest = self.rest.partition(" ")
        self.need(field, "expected another field")
        self.rest = rest if space else None
        return field

    def number(self, field):
        self.need(field.isascii() and field.isdigit() and int(field) < 2**32 - 1, "expected a number below 4294967295")
        return int(field)

    def number_below(self, end, what):
        found = self.number(self.word())
        self.need(found < end, f"there is no {what} {found}")
        return found

    def formula_number(self):
        return self.number_below(len(self.formulas), "formula")

    def text(self):
        rest, self.rest = self.rest or "", None
        try:
            found = json.loads(rest) if rest.startswith('"') else None
            if isinstance(found, str):
                (rest + found).encode()  # neither half of a surrogate pair nor a byte that is no UTF-8
                return found
        except ValueError:
            pass
        raise Refusal(self.line, "expected a JSON string")

    def exit_of(self, component, field):
        found = self.number(field)
        self.need(found in component.exits, f"node {found} is no exit of '{component.name}'")
        return found

    # -- the kinds of lines --

    def version(self, content):
        first = next(self.lines(content), None)
        self.need(first in ("nestor-certificate 1", "nestor-certificate 2"),
                  "expected 'nestor-certificate 1' or 'nestor-certificate 2'")
        return int(first[-1])

    def read(self, content):
        lines = self.lines(content)
        next(lines)
        self.next_line(lines)
        self.need(self.word() == "model", "expected 'model' and the model's SHA-256")
        self.hash, self.model_line = self.text(), self.line
        line = self.next_line(lines)
        while line.startswith("formula "):
            self.read_formula()
            line = self.next_line(lines)
        self.need(self.formulas, "expected a formula")
        while self.read_head_line(line):
            self.need(self.rest is None, "expected nothing more on this line")
            line = self.next_line(lines)
        self.end_head()
        self.need(line in ("verdict holds", "verdict fails"), "expected 'verdict holds' or 'verdict fails'")
        self.verdict, self.verdict_line = line.split(" ")[1], self.line
        while (line := self.next_line(lines)) != "end":
            self.read_item()
            self.need(self.rest is None, "expected nothing more on this line")
        self.end_boxes()
        self.need(self.instances, "expected the root, instance 0, before the end")
        self.need(next(lines, None) is None, "expected nothing after 'end'")
        for instance in self.instances:
            for box, j in sorted(instance.box.items()):
                need(j < len(self.instances), instance.lines["box", box], f"there is no instance {j}")

    def read_head_line(self, line):  # between the formulas and the verdict
        return False

    def end_head(self):
        pass

    def read_formula(self):
        self.word()
        self.need(self.number(self.word()) == len(self.formulas), "expected formulas to be numbered from 0 upwards")
        operator = self.word()
        self.need(operator in self.OPERANDS, "unknown operator")
        operands = [self.formula_number() for _ in range(self.OPERANDS[operator])]
        self.formulas.append([operator] + ([self.text()] if operator == "ap" else operands))
        self.need(self.rest is None, "expected nothing more on this line")

    def read_item(self):
        keyword = self.word()
        if keyword == "instance":
            self.end_boxes()
            self.need(self.number(self.word()) == len(self.instances),
                      "expected instances to be numbered from 0 upwards")
            component = self.model.components.get(self.text())
            self.need(component, "there is no such component")
            self.instances.append(types.SimpleNamespace(
                line=self.line, component=component, box={}, lines={}, **{table: {} for table in self.TABLES}))
            return
        self.need(self.instances, "expected an instance")
        kinds = {"box": self.read_box, **self.kinds()}
        self.need(keyword in kinds, "unknown keyword")
        kinds[keyword](keyword, self.instances[-1], self.instances[-1].component)

    def end_boxes(self):
        for instance in self.instances[-1:]:
            self.need(len(instance.box) == len(instance.component.boxes),
                      "expected a line 'box' for each box before this")
            self.end_instance(instance)

    def put(self, instance, keyword, key, why):
        self.need((keyword, key) not in instance.lines, why)
        instance.lines[keyword, key] = self.line

    def read_box(self, keyword, instance, component):
        box = self.number_below(len(component.boxes), "box")
        self.put(instance, keyword, box, "a second line for this box")
        instance.box[box] = self.number(self.word())

    def read_place(self, is_return, component):
        if not is_return:
            return ("node", self.number_below(len(component.nodes), "node"))
        box = self.number_below(len(component.boxes), "box")
        return ("return", box, self.exit_of(component.callee[box], self.word()))

    def keep(self, table, key, value):
        self.items.append((self.line, len(self.instances) - 1, key))
        if key in table:
            self.repeated = self.repeated or self.items[-1]
        else:
            table[key] = value


def read_text(path):
    content = pathlib.Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = unpack(content)
    return content.decode(errors="surrogateescape")


def unpack(content):
    """All members of a gzip file; what follows them is ignored."""
    plain = b""
    while content.startswith(b"\x1f\x8b"):
        member = zlib.decompressobj(31)
        try:
            plain += member.decompress(content)
        except zlib.error:
            raise Refusal(0, "damaged compressed file") from None
        need(member.eof, 0, "damaged compressed file: it ends too early")
        content = member.unused_data
    return plain


# ---- the rules ----

class FrameRules:
    def __init__(self, certificate, model):
        self.formulas, self.instances = certificate.formulas, certificate.instances
        need(certificate.hash == model.hash, certificate.model_line, "the certificate is about another model")
        need(self.instances[0].component is model.initial, self.instances[0].line,
             "the root is no instance of the initial component")
        for instance in self.instances:
            for box, callee in enumerate(instance.component.callee):
                need(self.instances[instance.box[box]].component is callee, instance.lines["box", box],
                     "the box calls another component")

    def need(self, condition, where, why):
        """where: a line, the number of an instance, and a place or a key that has it."""
        if not condition:
            line, i, key = where
            place = key if isinstance(key[0], str) else key[1]
            need(False, line, f"{why}, in instance {i} at {self.instances[i].component.describe(place)}")
