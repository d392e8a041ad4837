#!/usr/bin/env python3
"""Checks a certificate of nestor: python3 verify.py MODEL.rsm CERTIFICATE

Prints 'verified: holds' or 'verified: fails' and exits with 0; refuses a wrong or damaged certificate
with 1; exits with 2 for files that cannot be read. Written to be read, not to be fast: it shares
nothing with nestor but docs/certificates.md, whose seven rules it applies one by one, in the order
that the page gives, so that it names the same fault.
"""

import hashlib
import json
import pathlib
import re
import sys
import types
import zlib

OPERANDS = {"ap": 0, "true": 0, "not": 1, "or": 2, "and": 2, "EX": 1, "EU": 2, "EG": 1}
EXISTENTIAL = ("EX", "EU", "EG")


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
# An instance has its line, component, box: box -> instance number, context: formula -> set of exits,
# value: formula -> list of bool, fact: (formula, place, target) -> (rank, choice, exit that the call
# returns by), dead: (formula, place) -> (rank, reach), and lines: of its boxes, contexts and values.

class Certificate:
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

    def read(self, path):
        content = pathlib.Path(path).read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = unpack(content)
        lines = self.lines(content.decode(errors="surrogateescape"))
        self.need(next(lines, None) == "nestor-certificate 1", "expected 'nestor-certificate 1'")
        self.next_line(lines)
        self.need(self.word() == "model", "expected 'model' and the model's SHA-256")
        self.hash, self.model_line = self.text(), self.line
        line = self.next_line(lines)
        while line.startswith("formula "):
            self.read_formula()
            line = self.next_line(lines)
        self.need(self.formulas, "expected a formula")
        self.need(line in ("verdict holds", "verdict fails"), "expected 'verdict holds' or 'verdict fails'")
        self.verdict, self.verdict_line = line.split(" ")[1], self.line
        while (line := self.next_line(lines)) != "end":
            self.read_item()
            self.need(self.rest is None, "expected nothing more on this line")
        self.end_instance()
        self.need(self.instances, "expected the root, instance 0, before the end")
        self.need(next(lines, None) is None, "expected nothing after 'end'")
        for instance in self.instances:
            for box, j in sorted(instance.box.items()):
                need(j < len(self.instances), instance.lines["box", box], f"there is no instance {j}")

    def read_formula(self):
        self.word()
        self.need(self.number(self.word()) == len(self.formulas), "expected formulas to be numbered from 0 upwards")
        operator = self.word()
        self.need(operator in OPERANDS, "unknown operator")
        operands = [self.formula_number() for _ in range(OPERANDS[operator])]
        self.formulas.append([operator] + ([self.text()] if operator == "ap" else operands))
        self.need(self.rest is None, "expected nothing more on this line")

    def read_item(self):
        keyword = self.word()
        if keyword == "instance":
            self.end_instance()
            self.need(self.number(self.word()) == len(self.instances),
                      "expected instances to be numbered from 0 upwards")
            component = self.model.components.get(self.text())
            self.need(component, "there is no such component")
            self.instances.append(types.SimpleNamespace(
                line=self.line, component=component, box={}, context={}, value={}, fact={}, dead={}, lines={}))
            return
        self.need(self.instances, "expected an instance")
        kinds = {"box": self.read_box, "context": self.read_context, "value": self.read_value, "fact": self.read_fact,
                 "point": self.read_fact, "dead": self.read_dead, "deadpoint": self.read_dead}
        self.need(keyword in kinds, "unknown keyword")
        kinds[keyword](keyword, self.instances[-1], self.instances[-1].component)

    def end_instance(self):
        for instance in self.instances[-1:]:
            self.need(len(instance.box) == len(instance.component.boxes),
                      "expected a line 'box' for each box before this")
            for f, (operator, *_) in enumerate(self.formulas):
                self.need(f in instance.value, "expected a line 'value' for each formula before this")
                self.need(f in instance.context or operator not in EXISTENTIAL,
                          "expected a line 'context' for each EX, EU and EG before this")

    def put(self, instance, keyword, key, why):
        self.need(key not in getattr(instance, keyword), why)
        instance.lines[keyword, key] = self.line

    def read_box(self, keyword, instance, component):
        box = self.number_below(len(component.boxes), "box")
        self.put(instance, keyword, box, "a second line for this box")
        instance.box[box] = self.number(self.word())

    def read_context(self, keyword, instance, component):
        f = self.formula_number()
        self.need(self.formulas[f][0] in EXISTENTIAL, "only EX, EU and EG have contexts")
        self.put(instance, keyword, f, "a second context for this formula")
        instance.context[f] = set()
        while self.rest is not None:
            instance.context[f].add(self.exit_of(component, self.word()))

    def read_value(self, keyword, instance, component):
        f = self.formula_number()
        self.put(instance, keyword, f, "second values for this formula")
        digits, self.rest = self.rest or "", None
        self.need(set(digits) <= {"0", "1"} and len(digits) == len(component.nodes),
                  "expected a digit 0 or 1 for each node")
        instance.value[f] = [digit == "1" for digit in digits]

    def formula_and_place(self, operator, is_return, component):
        f = self.formula_number()
        self.need(self.formulas[f][0] == operator, "only EU has facts, only EG has the dead")
        if not is_return:
            return f, ("node", self.number_below(len(component.nodes), "node"))
        box = self.number_below(len(component.boxes), "box")
        return f, ("return", box, self.exit_of(component.callee[box], self.word()))

    def keep(self, table, key, value):
        self.items.append((self.line, len(self.instances) - 1, key))
        if key in table:
            self.repeated = self.repeated or self.items[-1]
        else:
            table[key] = value

    def read_fact(self, keyword, instance, component):
        f, place = self.formula_and_place("EU", keyword == "point", component)
        target = self.word()
        target = target if target == "goal" else self.exit_of(component, target)
        rank, choice, through = self.number(self.word()), self.word(), None
        if choice != "here":
            targets = component.next(place)
            self.need(self.number(choice) < len(targets), "there is no such successor to choose")
            choice = targets[int(choice)]
            if self.rest is not None:
                self.need(choice[0] == "call", "only a call returns through an exit")
                through = self.exit_of(component.callee[choice[1]], self.word())
        self.keep(instance.fact, (f, place, target), (rank, choice, through))

    def read_dead(self, keyword, instance, component):
        f, place = self.formula_and_place("EG", keyword == "deadpoint", component)
        rank, reach = self.number(self.word()), self.word()
        reach = set() if reach == "none" else {self.exit_of(component, x) for x in reach.split(",")}
        self.keep(instance.dead, (f, place), (rank, reach))


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

class Rules:
    def __init__(self, certificate, model):
        self.formulas, self.instances = certificate.formulas, certificate.instances
        need(certificate.hash == model.hash, certificate.model_line, "the certificate is about another model")
        need(self.instances[0].component is model.initial, self.instances[0].line,
             "the root is no instance of the initial component")
        for instance in self.instances:
            for box, callee in enumerate(instance.component.callee):
                need(self.instances[instance.box[box]].component is callee, instance.lines["box", box],
                     "the box calls another component")
        for f, (operator, *parts) in enumerate(self.formulas):
            if operator in EXISTENTIAL:
                after = parts[0] if operator == "EX" else f
                self.rule_2(f, operator, after)
                self.rule_3(f, operator, after)
            self.rules_1_and_4(f, operator, parts)
        if certificate.repeated:
            self.need(False, certificate.repeated, "the same said a second time")
        for item in certificate.items:
            (self.rule_5 if self.formulas[item[2][0]][0] == "EU" else self.rule_6)(item)
        for f, (operator, *_) in enumerate(self.formulas):
            if operator in ("EU", "EG"):
                self.nodes_proved(f, operator)
                self.return_points_proved(f, operator)
        holds = all(self.instances[0].value[len(self.formulas) - 1][k] for k in model.initial_nodes)
        need(certificate.verdict == ("holds" if holds else "fails"), certificate.verdict_line,
             "rule 7: the verdict is not what the initial nodes say")

    def need(self, condition, where, why):
        """where: a line, the number of an instance, and a place or a key that has it."""
        if not condition:
            line, i, key = where
            place = key if isinstance(key[0], str) else key[1]
            need(False, line, f"{why}, in instance {i} at {self.instances[i].component.describe(place)}")

    def v(self, instance, place, f):
        if place[0] == "call":
            return self.instances[instance.box[place[1]]].value[f][place[2]]
        return instance.value[f][place[1]]

    def some(self, instance, place, f, kind=None):
        return any(self.v(instance, m, f) for m in instance.component.next(place) if kind in (None, m[0]))

    def has_way(self, instance, f, place):
        return any((f, place, t) in instance.fact for t in {"goal"} | instance.context[f])

    def nodes(self, f):
        for i, instance in enumerate(self.instances):
            for k in range(len(instance.component.nodes)):
                yield instance, k, (instance.lines["value", f], i, ("node", k))

    def returns(self, f):
        """Each return point, with its instance, the instance of the callee, and the exit."""
        for i, instance in enumerate(self.instances):
            for box, callee in enumerate(instance.component.callee):
                there = self.instances[instance.box[box]]
                for x in sorted(callee.exits):
                    yield instance, there, x, (there.lines["context", f], i, ("return", box, x))

    def rules_1_and_4(self, f, operator, parts):
        for instance, k, where in self.nodes(f):
            component, here = instance.component, ("node", k)
            part = [] if operator == "ap" else [instance.value[g][k] for g in parts]
            if operator in EXISTENTIAL:
                some = self.some(instance, here, parts[0] if operator == "EX" else f) or k in instance.context[f]
                ends = k not in component.exits and not component.next(here)
                right = {"EX": some, "EU": part[-1] or (part[0] and some), "EG": part[0] and (some or ends)}
                why = "rule 4: the value does not solve the equation"
            else:
                right = {"ap": parts and parts[0] in component.nodes[k]["labels"], "true": True,
                         "not": part == [False], "or": any(part), "and": all(part)}
                why = "rule 1: the value does not follow"
            self.need(instance.value[f][k] == right[operator], where, why)

    def rule_2(self, f, operator, after):
        root = self.instances[0]
        for x in sorted(root.component.exits):
            right = {"EU": False, "EG": True, "EX": root.value[after][x]}
            self.need((x in root.context[f]) == right[operator], (root.lines["context", f], 0, ("node", x)),
                      "rule 2: the root's context is wrong")

    def rule_3(self, f, operator, after):
        for instance, there, x, where in self.returns(f):
            back = where[2]
            ends = not instance.component.next(back) and not there.component.next(("node", x))
            ret = self.some(instance, back, after) or (operator == "EG" and ends)
            self.need((x in there.context[f]) == ret, where, "rule 3: the context is not what follows the return")

    def rule_5(self, item):
        _, i, (f, place, target) = item
        instance = self.instances[i]
        rank, choice, through = instance.fact[f, place, target]
        phi, psi = self.formulas[f][1:]

        def smaller(there, p, t, what):
            self.need((f, p, t) in there.fact and there.fact[f, p, t][0] < rank, item,
                      f"rule 5: the {what} has no such fact with a smaller rank")

        if choice == "here":
            self.need(place[0] == "node" and (self.v(instance, place, psi) if target == "goal" else
                                              place[1] == target and self.v(instance, place, phi)),
                      item, "rule 5: the fact is not true here")
            return
        self.need(place[0] == "return" or self.v(instance, place, phi), item, "rule 5: a fact at a node without φ")
        if choice[0] == "node":
            smaller(instance, choice, target, "successor")
            return
        self.need(target == "goal" or through is not None, item, "rule 5: an exit is reached only by returning")
        callee = self.instances[instance.box[choice[1]]]
        smaller(callee, ("node", choice[2]), "goal" if through is None else through, "callee's entry")
        if through is not None:
            smaller(instance, ("return", choice[1], through), target, "return point")

    def rule_6(self, item):
        _, i, (f, place) = item
        instance = self.instances[i]
        rank, reach = instance.dead[f, place]

        def lower(there, p):
            self.need((f, p) in there.dead and there.dead[f, p][0] < rank, item,
                      "rule 6: a successor has no smaller rank")
            return there.dead[f, p][1]

        self.need(place[0] == "return" or place[1] not in instance.component.exits or place[1] in reach, item,
                  "rule 6: 'reach' lacks the exit itself")
        for m in [m for m in instance.component.next(place) if self.v(instance, m, self.formulas[f][1])]:
            if m[0] == "node":
                self.need(lower(instance, m) <= reach, item, "rule 6: 'reach' lacks an exit of a successor")
            else:
                for x in sorted(lower(self.instances[instance.box[m[1]]], ("node", m[2]))):
                    self.need(lower(instance, ("return", m[1], x)) <= reach, item,
                              "rule 6: 'reach' lacks an exit of a return point")

    def nodes_proved(self, f, operator):
        phi = self.formulas[f][1]
        for instance, k, where in self.nodes(f):
            value = instance.value[f][k]
            if operator == "EU":
                self.need(not value or self.has_way(instance, f, ("node", k)), where,
                          "rule 5: no fact for a node with value 1")
            else:
                self.need(value or not instance.value[phi][k] or (f, ("node", k)) in instance.dead, where,
                          "rule 6: no rank for a node with value 0")

    def return_points_proved(self, f, operator):
        phi = self.formulas[f][1]
        for instance, there, x, where in self.returns(f):
            back = where[2]
            if operator == "EU" and x in there.context[f] and (f, ("node", x), x) in there.fact:
                self.need(self.some(instance, back, f, "node") or self.has_way(instance, f, back), where,
                          "rule 5: no fact for a return point of an exit in the context")
            if operator == "EG" and there.value[phi][x] and not there.value[f][x]:
                self.need(not self.some(instance, back, phi, "call") or (f, back) in instance.dead, where,
                          "rule 6: no rank for a return point of an exit with value 0")


def verify(model, path):
    """'holds', 'fails' or 'refused', and for that the line and why."""
    certificate = Certificate(model)
    try:
        certificate.read(path)
        Rules(certificate, model)
    except Refusal as refusal:
        return "refused", str(refusal)
    return certificate.verdict, ""


if __name__ == "__main__":
    try:
        VERDICT, WHY = verify(Model(sys.argv[1]), sys.argv[2])
    except (OSError, ValueError, LookupError, TypeError) as unreadable:
        print(f"error: {unreadable}\n\n{__doc__}", file=sys.stderr)
        sys.exit(2)
    if WHY:
        LINE, _, REASON = WHY.partition(": ")
        print(f"{sys.argv[2]}:{LINE}: error: {REASON}" if LINE.isdigit() else f"{sys.argv[2]}: error: {WHY}",
              file=sys.stderr)
        sys.exit(1)
    print(f"verified: {VERDICT}")
