#!/usr/bin/env python3
"""Checks a certificate of nestor: python3 verify.py MODEL.rsm CERTIFICATE

Prints 'verified: holds' or 'verified: fails' and exits with 0; refuses a wrong or damaged
certificate with 1; exits with 2 for files that cannot be read. Written to be read, not to be fast:
it shares nothing with nestor but docs/certificates.md, whose seven rules it applies one by one.
"""

import gzip
import hashlib
import json
import sys
import zlib

LIMIT = 2**32 - 1  # numbers in a certificate are smaller


class Refused(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Refused(why)


# ---- the model ----
# Places in a component: ("node", k), ("call", box, k) and ("return", box, k), where k counts the
# nodes of the component, or of the box's callee.

class Component:
    def __init__(self, data):
        self.name = data["name"]
        self.nodes = data["nodes"]
        self.boxes = data["boxes"]
        self.place_of_node = {node["name"]: k for k, node in enumerate(self.nodes)}
        self.place_of_box = {box["name"]: k for k, box in enumerate(self.boxes)}
        self.exits = [k for k, node in enumerate(self.nodes) if node["is_exit"]]

    def connect(self, data, components):
        self.callee = [components[box["component"]] for box in self.boxes]
        self.successors = {}
        for transition in data["transitions"]:
            targets = [self.place(target, "call") for target in transition["targets"]]
            if targets:
                source = self.place(transition["source"], "return")
                self.successors.setdefault(source, []).extend(targets)

    def place(self, reference, kind):
        if reference["type"] == "node":
            return ("node", self.place_of_node[reference["name"]])
        box = self.place_of_box[reference["box_name"]]
        return (kind, box, self.callee[box].place_of_node[reference["node_name"]])

    def next(self, place):
        return self.successors.get(place, [])


class Model:
    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read()
        self.hash = hashlib.sha256(text).hexdigest()
        data = json.loads(text)
        self.components = {c["name"]: Component(c) for c in data["components"]}
        for c in data["components"]:
            self.components[c["name"]].connect(c, self.components)
        self.initial = self.components[data["initial_component"]]
        if "initial_nodes" in data:
            names = data["initial_nodes"]
        elif data.get("initial_node"):
            names = [data["initial_node"]]
        else:
            names = [node["name"] for node in self.initial.nodes if node["is_entry"]]
        self.initial_nodes = [self.initial.place_of_node[name] for name in names]


# ---- the certificate ----

class Instance:
    def __init__(self, component):
        self.component = component
        self.box = {}      # box -> instance number
        self.context = {}  # formula -> set of exits
        self.value = {}    # formula -> list of bool
        self.fact = {}     # (formula, place, target) -> (rank, choice, exit that the call returns by)
        self.dead = {}     # (formula, place) -> (rank, reach)


def put(table, key, value):
    need(key not in table, "the same a second time")
    table[key] = value


def number(field):
    need(field.isascii() and field.isdigit() and int(field) < LIMIT, f"'{field}' is no number below {LIMIT}")
    return int(field)


def below(field, end):
    need(number(field) < end, f"there is no {field}")
    return number(field)


def text(field):
    try:
        value = json.loads(field)
    except ValueError:
        value = None
    need(isinstance(value, str), "expected a JSON string")
    return value


def without_comment(line):
    quoted = False
    k = 0
    while k < len(line):
        if line[k] == "\\" and quoted:
            k += 1
        elif line[k] == '"':
            quoted = not quoted
        elif line[k] == "#" and not quoted:
            return line[:k]
        k += 1
    return line


class Certificate:
    OPERANDS = {"true": 0, "not": 1, "or": 2, "and": 2, "EX": 1, "EU": 2, "EG": 1}

    def __init__(self, path, model):
        self.model = model
        self.formulas = []   # [operator, operand, ...]; of 'ap' the proposition
        self.instances = []
        self.verdict = None
        self.ended = False
        self.line = 0
        with open(path, "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with (gzip.open if packed else open)(path, "rb") as file:
            for line in file:
                self.line += 1
                line = without_comment(line.decode().rstrip("\n")).rstrip(" ")
                if line:
                    need(not self.ended, "something follows 'end'")
                    self.read(line)
        need(self.ended, "the certificate ends without 'end'")
        self.finish_instance()

    def read(self, line):
        if not hasattr(self, "version"):
            self.version = line
            need(line == "nestor-certificate 1", "no certificate")
            return
        if not hasattr(self, "hash"):
            need(line.startswith("model "), "expected the model")
            self.hash = text(line[len("model "):])
            return
        fields = line.split(" ")
        if self.verdict is None:
            if fields[0] == "formula":
                self.read_formula(line, fields)
            else:
                need(line in ("verdict holds", "verdict fails") and self.formulas, "expected the verdict")
                self.verdict = fields[1]
        elif fields[0] == "instance":
            self.finish_instance()
            need(number(fields[1]) == len(self.instances), "instances are numbered from 0")
            name = text(line.split(" ", 2)[2])
            need(name in self.model.components, f"there is no component '{name}'")
            self.instances.append(Instance(self.model.components[name]))
        elif line == "end":
            need(self.instances, "there is no root")
            self.ended = True
        else:
            need(self.instances, "expected an instance")
            self.read_item(self.instances[-1], fields)

    def read_formula(self, line, fields):
        need(number(fields[1]) == len(self.formulas), "formulas are numbered from 0")
        if fields[2] == "ap":
            self.formulas.append(["ap", text(line.split(" ", 3)[3])])
            return
        need(self.OPERANDS.get(fields[2]) == len(fields) - 3, "unknown operator or wrong operands")
        self.formulas.append([fields[2]] + [below(field, len(self.formulas)) for field in fields[3:]])

    def exit(self, component, field):
        need(number(field) in component.exits, f"{field} is no exit of '{component.name}'")
        return number(field)

    def read_item(self, instance, fields):
        component = instance.component
        keyword, *fields = fields
        if keyword == "box":
            box, callee = fields
            put(instance.box, below(box, len(component.boxes)), number(callee))
            return
        f = below(fields.pop(0), len(self.formulas))
        operator = self.formulas[f][0]
        if keyword == "value":
            digits = "".join(fields)
            need(len(fields) <= 1 and set(digits) <= {"0", "1"} and len(digits) == len(component.nodes),
                 "expected a digit for each node")
            put(instance.value, f, [digit == "1" for digit in digits])
            return
        if keyword == "context":
            need(operator in ("EX", "EU", "EG"), "no existential formula")
            put(instance.context, f, {self.exit(component, field) for field in fields})
            return
        need((keyword, operator) in (("fact", "EU"), ("point", "EU"), ("dead", "EG"), ("deadpoint", "EG")),
             "unknown keyword, or not for this formula")
        if keyword in ("fact", "dead"):
            place = ("node", below(fields.pop(0), len(component.nodes)))
        else:
            box = below(fields.pop(0), len(component.boxes))
            place = ("return", box, self.exit(component.callee[box], fields.pop(0)))
        if operator == "EG":
            rank, reach = fields
            exits = [] if reach == "none" else [self.exit(component, field) for field in reach.split(",")]
            put(instance.dead, (f, place), (number(rank), set(exits)))
            return
        target, rank, choice, *through = fields
        target = "goal" if target == "goal" else self.exit(component, target)
        if choice == "here":
            need(not through, "'here' returns through no exit")
        else:
            choice = component.next(place)[below(choice, len(component.next(place)))]
            if through:
                need(choice[0] == "call" and len(through) == 1, "only a call returns through an exit")
                through = [self.exit(component.callee[choice[1]], through[0])]
        put(instance.fact, (f, place, target), (number(rank), choice, through[0] if through else None))

    def finish_instance(self):
        for instance in self.instances[-1:]:
            need(len(instance.box) == len(instance.component.boxes), "a box is missing")
            need(len(instance.value) == len(self.formulas), "values are missing")
            existential = [f for f in self.formulas if f[0] in ("EX", "EU", "EG")]
            need(len(instance.context) == len(existential), "a context is missing")


# ---- the rules ----

def check(certificate, model):
    formulas, instances = certificate.formulas, certificate.instances
    need(certificate.hash == model.hash, "another model")
    need(instances[0].component is model.initial, "the root is no instance of the initial component")
    for instance in instances:
        for box, j in instance.box.items():
            need(j < len(instances) and instances[j].component is instance.component.callee[box], "box map")

    def v(instance, place, f):
        if place[0] == "call":
            return instances[instance.box[place[1]]].value[f][place[2]]
        return instance.value[f][place[1]]

    def some(instance, place, f):
        return any(v(instance, m, f) for m in instance.component.next(place))

    for f, (operator, *parts) in enumerate(formulas):
        for i, instance in enumerate(instances):
            component = instance.component
            for k, node in enumerate(component.nodes):
                here = ("node", k)
                if operator in ("EX", "EU", "EG"):
                    is_exit = k in component.exits
                    after = some(instance, here, parts[0] if operator == "EX" else f) or \
                        (is_exit and k in instance.context[f])
                right = {
                    "true": lambda: True,
                    "ap": lambda: parts[0] in node["labels"],
                    "not": lambda: not v(instance, here, parts[0]),
                    "or": lambda: v(instance, here, parts[0]) or v(instance, here, parts[1]),
                    "and": lambda: v(instance, here, parts[0]) and v(instance, here, parts[1]),
                    "EX": lambda: after,
                    "EU": lambda: v(instance, here, parts[1]) or (v(instance, here, parts[0]) and after),
                    "EG": lambda: v(instance, here, parts[0]) and
                    (after or (not is_exit and not component.next(here))),
                }[operator]()
                need(v(instance, here, f) == right, f"rule 1 or 4, formula {f}, instance {i}, node {k}")
            if operator not in ("EX", "EU", "EG"):
                continue
            if i == 0:
                root = {"EU": set(), "EG": set(component.exits),
                        "EX": {x for x in component.exits if v(instance, ("node", x), parts[0])}}
                need(instance.context[f] == root[operator], f"rule 2, formula {f}")
            for box, callee in enumerate(component.callee):
                for x in callee.exits:
                    back = ("return", box, x)
                    ret = some(instance, back, parts[0] if operator == "EX" else f) or \
                        (operator == "EG" and not component.next(back) and not callee.next(("node", x)))
                    need((x in instances[instance.box[box]].context[f]) == ret,
                         f"rule 3, formula {f}, instance {i}, box {box}, exit {x}")
    for i, instance in enumerate(instances):
        for (f, place, target), (rank, choice, through) in instance.fact.items():
            where = f"rule 5, formula {f}, instance {i}, {place}"
            phi, psi = formulas[f][1:]

            def smaller(there, p, t):
                need((f, p, t) in there.fact and there.fact[f, p, t][0] < rank, where)

            if choice == "here":
                need(place[0] == "node", where)
                need(v(instance, place, psi) if target == "goal" else
                     place[1] == target and v(instance, place, phi), where)
                continue
            need(place[0] == "return" or v(instance, place, phi), where)
            if choice[0] == "node":
                smaller(instance, choice, target)
                continue
            callee = instances[instance.box[choice[1]]]
            if through is None:
                need(target == "goal", where)
                smaller(callee, ("node", choice[2]), "goal")
            else:
                smaller(callee, ("node", choice[2]), through)
                smaller(instance, ("return", choice[1], through), target)
        for (f, place), (rank, reach) in instance.dead.items():
            where = f"rule 6, formula {f}, instance {i}, {place}"

            def lower(there, p):
                need((f, p) in there.dead and there.dead[f, p][0] < rank, where)
                return there.dead[f, p][1]

            if place[0] == "node" and place[1] in instance.component.exits:
                need(place[1] in reach, where)
            for m in instance.component.next(place):
                if not v(instance, m, formulas[f][1]):
                    continue
                if m[0] == "node":
                    need(lower(instance, m) <= reach, where)
                else:
                    for x in lower(instances[instance.box[m[1]]], ("node", m[2])):
                        need(lower(instance, ("return", m[1], x)) <= reach, where)
        for f, (operator, *parts) in enumerate(formulas):
            for k in range(len(instance.component.nodes)):
                here = ("node", k)
                if operator == "EU" and v(instance, here, f):
                    need(any((f, here, t) in instance.fact for t in {"goal"} | instance.context[f]),
                         f"rule 5, formula {f}, instance {i}, node {k}: no fact")
                if operator == "EG" and not v(instance, here, f) and v(instance, here, parts[0]):
                    need((f, here) in instance.dead, f"rule 6, formula {f}, instance {i}, node {k}: no rank")
    holds = all(instances[0].value[len(formulas) - 1][k] for k in model.initial_nodes)
    need(certificate.verdict == ("holds" if holds else "fails"), "rule 7")


def verify(model, path):
    """'holds', 'fails' or 'refused', and why."""
    certificate = Certificate.__new__(Certificate)
    try:
        certificate.__init__(path, model)
    except (Refused, ValueError, IndexError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        return "refused", f"line {certificate.line}: {error}"
    try:
        check(certificate, model)
    except Refused as error:
        return "refused", str(error)
    return certificate.verdict, ""


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip().splitlines()[0], file=sys.stderr)
        return 2
    try:
        verdict, why = verify(Model(sys.argv[1]), sys.argv[2])
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"error: {error!r}", file=sys.stderr)
        return 2
    if verdict == "refused":
        print(f"{sys.argv[2]}: refused: {why}", file=sys.stderr)
        return 1
    print("verified:", verdict)
    return 0


if __name__ == "__main__":
    sys.exit(main())
