#!/usr/bin/env python3
"""Checks a certificate of nestor: python3 verify.py MODEL.rsm CERTIFICATE

Prints 'verified: holds' or 'verified: fails' and exits with 0; refuses a wrong or damaged certificate
with 1; exits with 2 for files that cannot be read. Written to be read, not to be fast: it shares
nothing with nestor but docs/certificates.md, whose rules it applies one by one, in the order that the
page gives, so that it names the same fault. Here are the rules for CTL; verify_paths.py has those for
CTL*, verify_frame.py what both have in common.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # however this file is loaded

from verify_frame import Frame, FrameRules, Model, Refusal, need, read_text  # noqa: E402
from verify_paths import PathCertificate, PathRules  # noqa: E402

EXISTENTIAL = ("EX", "EU", "EG")


# ---- the certificate ----
# An instance has, besides what the frame says, context: formula -> set of exits, value: formula -> list
# of bool, fact: (formula, place, target) -> (rank, choice, exit that the call returns by), dead:
# (formula, place) -> (rank, reach).

class Certificate(Frame):
    OPERANDS = {"ap": 0, "true": 0, "not": 1, "or": 2, "and": 2, "EX": 1, "EU": 2, "EG": 1}
    TABLES = ("context", "value", "fact", "dead")

    def kinds(self):
        return {"context": self.read_context, "value": self.read_value, "fact": self.read_fact,
                "point": self.read_fact, "dead": self.read_dead, "deadpoint": self.read_dead}

    def end_instance(self, instance):
        for f, (operator, *_) in enumerate(self.formulas):
            self.need(f in instance.value, "expected a line 'value' for each formula before this")
            self.need(f in instance.context or operator not in EXISTENTIAL,
                      "expected a line 'context' for each EX, EU and EG before this")

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
        return f, self.read_place(is_return, component)

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


# ---- the rules ----

class Rules(FrameRules):
    def __init__(self, certificate, model):
        super().__init__(certificate, model)
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
    try:
        content = read_text(path)
        kind, rules = [(Certificate, Rules), (PathCertificate, PathRules)][Frame(model).version(content) - 1]
        certificate = kind(model)
        certificate.read(content)
        rules(certificate, model)
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
