#!/usr/bin/env python3
"""Checks a certificate of nestor: python3 verify.py MODEL.rsm CERTIFICATE

Prints 'verified: holds' or 'verified: fails' and exits with 0; refuses a wrong or damaged certificate
with 1; exits with 2 for files that cannot be read. Written to be read, not to be fast: it shares
nothing with nestor but docs/certificates.md, whose seven rules it applies one by one.
"""

import gzip
import hashlib
import json
import pathlib
import re
import sys
import types
import zlib

OPERANDS = {"true": 0, "not": 1, "or": 2, "and": 2, "EX": 1, "EU": 2, "EG": 1}
EXISTENTIAL = ("EX", "EU", "EG")


def need(condition, why):
    if not condition:
        raise ValueError(why)


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
# An instance has its component, box: box -> instance number, context: formula -> set of exits, value:
# formula -> list of bool, fact: (formula, place, target) -> (rank, choice, exit that the call returns
# by), and dead: (formula, place) -> (rank, reach).

def put(table, key, value):
    need(key not in table, "the same a second time")
    table[key] = value


def number(field, end=2**32 - 1):
    need(field.isascii() and field.isdigit() and int(field) < end, f"'{field}' is no number below {end}")
    return int(field)


def text(field):
    need(field.startswith('"'), "expected a JSON string")
    return json.loads(field)


def exit_of(component, field):
    need(number(field) in component.exits, f"{field} is no exit of '{component.name}'")
    return number(field)


class Certificate:
    def __init__(self, model):
        self.model, self.line, self.hash, self.verdict, self.started, self.ended = model, 0, None, None, False, False
        self.formulas, self.instances = [], []  # a formula: [operator, operands]; ap: the proposition

    def read(self, path):
        content = pathlib.Path(path).read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        for self.line, line in enumerate(content.decode().split("\n"), 1):
            comment = re.fullmatch(r'((?:[^#"]|"(?:[^"\\]|\\.)*")*)#.*', line) if "#" in line else None
            line = (comment.group(1) if comment else line).rstrip(" ")
            if line:
                need(not self.ended, "something follows 'end'")
                self.read_line(line, line.split(" "))
        need(self.ended and self.instances, "the certificate ends without 'end' or without a root")

    def read_line(self, line, fields):
        if not self.started:
            need(line == "nestor-certificate 1", "no certificate")
            self.started = True
        elif self.hash is None:
            need(fields[0] == "model", "expected the model")
            self.hash = text(line[6:])
        elif self.verdict is None and fields[0] == "formula":
            need(number(fields[1]) == len(self.formulas), "formulas are numbered from 0")
            if fields[2] == "ap":
                operands = [text(line.split(" ", 3)[3])]
            else:
                need(OPERANDS.get(fields[2]) == len(fields) - 3, "unknown operator or wrong operands")
                operands = [number(f, len(self.formulas)) for f in fields[3:]]
            self.formulas.append([fields[2]] + operands)
        elif self.verdict is None:
            need(line in ("verdict holds", "verdict fails") and self.formulas, "expected the verdict")
            self.verdict = fields[1]
        elif fields[0] == "instance" or line == "end":
            for instance in self.instances[-1:]:
                need(len(instance.box) == len(instance.component.boxes), "a box is missing")
                need(len(instance.value) == len(self.formulas), "values are missing")
                need(len(instance.context) == sum(f[0] in EXISTENTIAL for f in self.formulas), "no context")
            self.ended = line == "end"
            if not self.ended:
                need(number(fields[1]) == len(self.instances), "instances are numbered from 0")
                name = text(line.split(" ", 2)[2])
                need(name in self.model.components, f"there is no component '{name}'")
                self.instances.append(types.SimpleNamespace(
                    component=self.model.components[name], box={}, context={}, value={}, fact={}, dead={}))
        else:
            need(self.instances, "expected an instance")
            self.read_item(self.instances[-1], self.instances[-1].component, fields[0], fields[1:])

    def read_item(self, instance, component, keyword, fields):
        if keyword == "box":
            box, callee = fields
            return put(instance.box, number(box, len(component.boxes)), number(callee))
        f = number(fields.pop(0), len(self.formulas))
        operator = self.formulas[f][0]
        if keyword == "value":
            digits = "".join(fields)
            need(len(fields) <= 1 and set(digits) <= {"0", "1"} and len(digits) == len(component.nodes),
                 "expected a digit for each node")
            return put(instance.value, f, [digit == "1" for digit in digits])
        if keyword == "context":
            need(operator in EXISTENTIAL, "no existential formula")
            return put(instance.context, f, {exit_of(component, field) for field in fields})
        need((keyword, operator) in (("fact", "EU"), ("point", "EU"), ("dead", "EG"), ("deadpoint", "EG")),
             "unknown keyword, or not for this formula")
        if keyword in ("fact", "dead"):
            place = ("node", number(fields.pop(0), len(component.nodes)))
        else:
            box = number(fields.pop(0), len(component.boxes))
            place = ("return", box, exit_of(component.callee[box], fields.pop(0)))
        if operator == "EG":
            rank, reach = fields
            reach = set() if reach == "none" else {exit_of(component, x) for x in reach.split(",")}
            return put(instance.dead, (f, place), (number(rank), reach))
        target, rank, choice, *through = fields
        target = target if target == "goal" else exit_of(component, target)
        if choice != "here":
            choice = component.next(place)[number(choice, len(component.next(place)))]
        need(not through or choice[0] == "call" and len(through) == 1, "only a call returns through an exit")
        through = exit_of(component.callee[choice[1]], through[0]) if through else None
        return put(instance.fact, (f, place, target), (number(rank), choice, through))


# ---- the rules ----

class Rules:
    def __init__(self, certificate, model):
        self.formulas, self.instances = certificate.formulas, certificate.instances
        need(certificate.hash == model.hash, "another model")
        need(self.instances[0].component is model.initial, "the root is of another component")
        for instance in self.instances:
            for box, j in instance.box.items():
                need(j < len(self.instances) and self.instances[j].component is instance.component.callee[box],
                     f"box {box} of an instance of '{instance.component.name}' cannot call instance {j}")
        for f, (operator, *parts) in enumerate(self.formulas):
            for i, instance in enumerate(self.instances):
                self.rules_1_and_4(f, operator, parts, i, instance)
                if operator in EXISTENTIAL:
                    self.rules_2_and_3(f, operator, parts[0] if operator == "EX" else f, i, instance)
        for i, instance in enumerate(self.instances):
            self.rule_5(i, instance)
            self.rule_6(i, instance)
        holds = all(self.instances[0].value[len(self.formulas) - 1][k] for k in model.initial_nodes)
        need(certificate.verdict == ("holds" if holds else "fails"), "rule 7")

    def v(self, instance, place, f):
        if place[0] == "call":
            return self.instances[instance.box[place[1]]].value[f][place[2]]
        return instance.value[f][place[1]]

    def some(self, instance, place, f, kind=None):
        return any(self.v(instance, m, f) for m in instance.component.next(place) if kind in (None, m[0]))

    def has_way(self, instance, f, place):
        return any((f, place, t) in instance.fact for t in {"goal"} | instance.context[f])

    def rules_1_and_4(self, f, operator, parts, i, instance):
        for k, node in enumerate(instance.component.nodes):
            here = ("node", k)
            part = [] if operator == "ap" else [instance.value[g][k] for g in parts]
            if operator in EXISTENTIAL:
                some = self.some(instance, here, parts[0] if operator == "EX" else f) or k in instance.context[f]
                ends = k not in instance.component.exits and not instance.component.next(here)
                right = {"EX": some, "EU": part[-1] or (part[0] and some), "EG": part[0] and (some or ends)}
            else:
                right = {"ap": parts and parts[0] in node["labels"], "true": True, "not": part == [False],
                         "or": any(part), "and": all(part)}
            where = f"formula {f}, instance {i}, node {k}"
            need(instance.value[f][k] == right[operator], "rule 1 or 4, " + where)
            if operator == "EU" and right["EU"]:
                need(self.has_way(instance, f, here), "rule 5, no fact for " + where)
            if operator == "EG" and part[0] and not right["EG"]:
                need((f, here) in instance.dead, "rule 6, no rank for " + where)

    def rules_2_and_3(self, f, operator, after, i, instance):
        if i == 0:
            exits = instance.component.exits
            root = {"EU": set(), "EG": exits, "EX": {x for x in exits if instance.value[after][x]}}
            need(instance.context[f] == root[operator], f"rule 2, formula {f}")
        for box, callee in enumerate(instance.component.callee):
            for x in callee.exits:
                back = ("return", box, x)
                ret = self.some(instance, back, after) or (
                    operator == "EG" and not instance.component.next(back) and not callee.next(("node", x)))
                there = self.instances[instance.box[box]]
                where = f"formula {f}, instance {i}, box {box}, exit {x}"
                need((x in there.context[f]) == ret, f"rule 3, {where}")
                if operator == "EU" and ret and (f, ("node", x), x) in there.fact:
                    need(self.some(instance, back, f, "node") or self.has_way(instance, f, back),
                         f"rule 5, no fact for return point, {where}")
                phi = self.formulas[f][1]
                if operator == "EG" and there.value[phi][x] and not there.value[f][x]:
                    need(not self.some(instance, back, phi, "call") or (f, back) in instance.dead,
                         f"rule 6, no rank for return point, {where}")

    def rule_5(self, i, instance):
        for (f, place, target), (rank, choice, through) in instance.fact.items():
            where = f"rule 5, formula {f}, instance {i}, {place}"
            phi, psi = self.formulas[f][1:]

            def smaller(there, p, t):
                need((f, p, t) in there.fact and there.fact[f, p, t][0] < rank, where)

            if choice == "here":
                need(place[0] == "node" and (self.v(instance, place, psi) if target == "goal" else
                                             place[1] == target and self.v(instance, place, phi)), where)
                continue
            need(place[0] == "return" or self.v(instance, place, phi), where)
            if choice[0] == "node":
                smaller(instance, choice, target)
                continue
            need(target == "goal" or through is not None, where)
            callee = self.instances[instance.box[choice[1]]]
            smaller(callee, ("node", choice[2]), "goal" if through is None else through)
            if through is not None:
                smaller(instance, ("return", choice[1], through), target)

    def rule_6(self, i, instance):
        for (f, place), (rank, reach) in instance.dead.items():
            where = f"rule 6, formula {f}, instance {i}, {place}"

            def lower(there, p):
                need((f, p) in there.dead and there.dead[f, p][0] < rank, where)
                return there.dead[f, p][1]

            need(place[0] == "return" or place[1] not in instance.component.exits or place[1] in reach, where)
            for m in [m for m in instance.component.next(place) if self.v(instance, m, self.formulas[f][1])]:
                if m[0] == "node":
                    need(lower(instance, m) <= reach, where)
                else:
                    for x in lower(self.instances[instance.box[m[1]]], ("node", m[2])):
                        need(lower(instance, ("return", m[1], x)) <= reach, where)


def verify(model, path):
    """'holds', 'fails' or 'refused', and why."""
    certificate = Certificate(model)
    try:
        certificate.read(path)
        Rules(certificate, model)
    except (ValueError, IndexError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        return "refused", f"{error} (line {certificate.line} or before)"
    return certificate.verdict, ""


if __name__ == "__main__":
    try:
        VERDICT, WHY = verify(Model(sys.argv[1]), sys.argv[2])
    except (OSError, ValueError, LookupError, TypeError) as unreadable:
        print(f"error: {unreadable}\n\n{__doc__}", file=sys.stderr)
        sys.exit(2)
    print(f"refused: {WHY}" if WHY else f"verified: {VERDICT}", file=sys.stderr if WHY else sys.stdout)
    sys.exit(1 if WHY else 0)
