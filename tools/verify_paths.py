"""Certificates of the second kind, for formulas of CTL*: the rules 8 to 15 of docs/certificates.md.

A part of verify.py, which says more.
"""

from verify_frame import Frame, FrameRules, need

MOST_SETS = 64


# ---- the certificate ----
# An instance has, besides what the frame says, value: formula -> '0', '1' and '-', good and dead_exits:
# formula -> set of exits, fact: (formula, place, state, target, set) -> (rank, choice), dead: (formula,
# place, state) -> (rank, set, reach: exit -> sets). An exit is a pair of a node and a state of the
# automaton. A choice is ("here",), ("end",) or ("step", successor or None, transition, exit that the call
# returns by or None, marked, arrives). A state is a tuple (obligations, before, transitions, line), a
# transition a pair (state, sets).

class PathCertificate(Frame):
    OPERANDS = {"true": 0, "false": 0, "ap": 0, "not": 1, "or": 2, "and": 2, "E": 1, "X": 1, "U": 2, "R": 2,
                "Y": 1, "Z": 1, "S": 2, "T": 2}
    TABLES = ("value", "good", "dead_exits", "fact", "dead")

    def __init__(self, model):
        super().__init__(model)
        self.states = {}  # formula -> list

    def kinds(self):
        return {"value": self.read_value, "context": self.read_context, "fact": self.read_fact,
                "point": self.read_fact, "dead": self.read_dead, "deadpoint": self.read_dead}

    def formula_below(self, field):
        found = self.number(field)
        self.need(found < len(self.formulas), f"there is no formula {found}")
        return found

    def exists_number(self):
        f = self.formula_number()
        self.need(self.formulas[f][0] == "E", "expected a formula with E")
        return f

    def list(self):
        field = self.word()
        return [] if field == "none" else field.split(",")

    def read_head_line(self, line):
        if not line.startswith("state "):
            return False
        self.word()
        f = self.exists_number()
        states = self.states.setdefault(f, [])
        self.need(self.number(self.word()) == len(states), "expected states to be numbered from 0 upwards")
        formulas = [frozenset(self.formula_below(field) for field in self.list()) for _ in range(2)]
        transitions = []
        for field in self.list():
            state, *sets = field.split(":")
            transitions.append((self.number(state), frozenset(self.formula_below(s) for s in sets)))
        states.append((*formulas, transitions, self.line))
        return True

    def end_head(self):
        for f, (operator, *_) in enumerate(self.formulas):
            self.need(operator != "E" or f in self.states, "expected a line 'state' for each E before this")
        for _, states in sorted(self.states.items()):
            for *_, transitions, line in states:
                for state, _ in transitions:
                    need(state < len(states), line, f"there is no state {state}")

    def end_instance(self, instance):
        pass

    def read_value(self, keyword, instance, component):
        f = self.formula_number()
        self.put(instance, keyword, f, "second values for this formula")
        digits, self.rest = self.rest or "", None
        self.need(set(digits) <= set("01-") and len(digits) == len(component.nodes), "expected 0, 1 or - for each node")
        instance.value[f] = digits

    def exit(self, component, f, field):
        exit_field, colon, state = field.partition(":")
        self.need(colon, "expected an exit and a state joined by ':'")
        return self.exit_of(component, exit_field), self.state_below(f, self.number(state))

    def state_below(self, f, state):
        self.need(state < len(self.states[f]), f"there is no state {state}")
        return state

    def read_context(self, keyword, instance, component):
        f, kind = self.exists_number(), self.word()
        self.need(kind in ("good", "dead"), "expected 'good' or 'dead'")
        self.put(instance, kind, f, "a second context for this formula")
        exits = set()
        while self.rest is not None:
            exits.add(self.exit(component, f, self.word()))
        (instance.good if kind == "good" else instance.dead_exits)[f] = exits

    def read_point(self, keyword, component):
        f = self.exists_number()
        place = self.read_place(keyword.endswith("point"), component)
        return f, place, self.state_below(f, self.number(self.word()))

    def read_fact(self, keyword, instance, component):
        f, place, state = self.read_point(keyword, component)
        target = self.word()
        target = target if target == "good" else self.exit(component, f, target)
        over = self.word()
        over = over if over == "any" else self.formula_below(over)
        rank, choice = self.number(self.word()), self.word()
        choice = (choice,) if choice in ("here", "end") else self.read_step(f, place, state, component, choice)
        self.keep(instance.fact, (f, place, state, target, over), (rank, choice))

    def read_step(self, f, place, state, component, choice):
        successor = None
        if choice != "stay":
            targets = component.next(place)
            self.need(self.number(choice) < len(targets), "there is no such successor to choose")
            successor = targets[int(choice)]
        transition = self.number_below(len(self.states[f][state][2]), "transition")
        through, marked, more = None, False, self.more()
        if more == "through":
            self.need(successor and successor[0] == "call", "only a call returns through an exit")
            through, more = self.exit(component.callee[successor[1]], f, self.word()), self.more()
            marked = more == "marked"
            more = self.more() if marked else more
        self.need(more in ("arrive", ""), "expected 'through', 'marked' or 'arrive'")
        return "step", successor, transition, through, marked, more == "arrive"

    def more(self):
        return "" if self.rest is None else self.word()

    def read_dead(self, keyword, instance, component):
        f, place, state = self.read_point(keyword, component)
        rank, over, reach = self.number(self.word()), self.formula_number(), []
        for field in self.list():
            parts = field.split(":")
            reach.append((self.exit(component, f, ":".join(parts[:2])),
                          frozenset(self.formula_below(s) for s in parts[2:])))
        self.need(len(dict(reach)) == len(reach), "an exit and state twice")
        self.keep(instance.dead, (f, place, state), (rank, over, dict(sorted(reach))))


# ---- the automaton ----

class Tableau:
    def __init__(self, formulas, is_path, states, f):
        self.formulas, self.is_path, self.states = formulas, is_path, states
        self.closure, todo = set(), [formulas[f][1]]
        while todo:
            g = todo.pop()
            if g not in self.closure:
                self.closure.add(g)
                todo += formulas[g][1:] if is_path[g] else []
        self.order = sorted(self.closure)
        self.leaves = [g for g in self.order if not is_path[g]]
        untils = [g for g in self.order if is_path[g] and formulas[g][0] == "U"]
        self.has_until, self.sets = bool(untils), untils or [f]
        self.past = {formulas[g][1] for g in self.order if is_path[g] and formulas[g][0] in "YZ"} | {
            g for g in self.order if is_path[g] and formulas[g][0] in "ST"}
        self.known = {}

    def sets_of(self, state, transition):
        return self.states[state][2][transition][1] if self.has_until else frozenset(self.sets)

    def was_true(self, state, f, at_first):
        return at_first if state == 0 else f in self.states[state][1]

    def truth(self, letter, state, following):
        """following: a transition, or None: the word ends."""
        now = dict(zip(self.leaves, letter))

        def after(g):
            return following is not None and (
                self.formulas[g] == ["true"] or g in self.states[following[0]][0])

        for g in self.order:
            if not self.is_path[g]:
                continue
            operator, *parts = self.formulas[g]
            if operator == "X":
                now[g] = after(parts[0])
            elif operator in "YZ":
                now[g] = self.was_true(state, parts[0], operator == "Z")
            else:
                left, right = now[parts[0]], now[parts[1]]
                now[g] = {"and": lambda: left and right, "or": lambda: left or right,
                          "U": lambda: right or (left and after(g) and g not in following[1]),
                          "R": lambda: right and (left or following is None or after(g)),
                          "S": lambda: right or (left and self.was_true(state, g, False)),
                          "T": lambda: right and (left or self.was_true(state, g, True))}[operator]()
        return now

    def remember(self, key, find):
        if key not in self.known:
            self.known[key] = find()
        return self.known[key]

    def allows(self, letter, state, transition):
        def find():
            following = self.states[state][2][transition]
            now = self.truth(letter, state, following)
            return all(now[g] for g in self.states[state][0] | self.states[following[0]][1])
        return self.remember(("allows", letter, state, transition), find)

    def may_end(self, letter, state):
        now = self.truth(letter, state, None)
        return all(now[g] for g in self.states[state][0])

    def is_past(self, f):
        if not self.is_path[f]:
            return True
        operator, *parts = self.formulas[f]
        return operator not in "XUR" and all(self.is_past(g) for g in parts)

    def is_complete(self, letter, state):
        return self.remember(("complete", letter, state), lambda: self.find_complete(letter, state))

    def find_complete(self, letter, state):
        now = self.truth(letter, state, None)
        exact = frozenset(f for f in self.past if self.is_past(f) and now[f])
        # A case: what is to be true now, what has been taken apart, what is asked of the next letter,
        # what is remembered, which U are put off.
        cases = [(tuple(self.states[state][0]), frozenset(), frozenset(), exact, frozenset())]
        for f in sorted(self.past):
            if not self.is_past(f):
                cases += [(todo + (f,), *rest, remembered | {f}, off) for todo, *rest, remembered, off in cases]
        while cases:
            case = self.decide(cases.pop(), letter, state, cases)
            if case and not self.is_covered(case, letter, state):
                return False
        return True

    def decide(self, case, letter, state, others):
        todo, done, following, remembered, off = case
        now = dict(zip(self.leaves, letter))
        while todo:
            *todo, g = todo
            todo = tuple(todo)
            if g in done:
                continue
            done |= {g}
            if not self.is_path[g]:
                if not now[g]:
                    return None
                continue
            operator, *parts = self.formulas[g]
            if operator == "and":
                todo += tuple(parts)
            elif operator == "or":
                others.append((todo + (parts[0],), done, following, remembered, off))
                todo += (parts[1],)
            elif operator == "X":
                following |= {parts[0]}
            elif operator == "U":
                others.append((todo + (parts[1],), done, following, remembered, off))
                todo, following, off = todo + (parts[0],), following | {g}, off | {g}
            elif operator == "R":
                todo += (parts[1],)
                others.append((todo + (parts[0],), done, following, remembered, off))
                following |= {g}
            elif operator in "YZ":
                if not self.was_true(state, parts[0], operator == "Z"):
                    return None
            elif operator == "S":
                if self.was_true(state, g, False):
                    others.append((todo + (parts[0],), done, following, remembered, off))
                todo += (parts[1],)
            else:
                todo += (parts[1],) if self.was_true(state, g, True) else (parts[1], parts[0])
        return following, remembered, off

    def is_covered(self, case, letter, state):
        following, remembered, off = case
        return any(set(self.sets) <= self.sets_of(state, t) | off and self.states[target][0] <= following
                   and remembered <= self.states[target][1] and self.allows(letter, state, t)
                   for t, (target, _) in enumerate(self.states[state][2]))


# ---- the rules ----

class PathRules(FrameRules):
    def __init__(self, certificate, model):
        super().__init__(certificate, model)
        for instance in self.instances:
            for box, j in sorted(instance.box.items()):
                need(j != 0, instance.lines["box", box], "rule 8: a box leads to the root")
        self.find_paths(certificate.verdict_line)
        for f, (operator, *parts) in enumerate(self.formulas):
            self.rule_9(f, operator, parts)
        self.tableaux = {f: Tableau(self.formulas, self.is_path, states, f)
                         for f, states in sorted(certificate.states.items())}
        for f, tableau in self.tableaux.items():
            self.rule_10(f, tableau)
        if certificate.repeated:
            self.need(False, certificate.repeated, "the same said a second time")
        self.good_by_exit = {(f, i, place, state) for i, instance in enumerate(self.instances)
                             for f, place, state, target, _ in instance.fact if target in instance.good.get(f, ())}
        for item in certificate.items:
            (self.rule_14 if len(item[2]) == 3 else self.rule_13)(item)
        for f in self.tableaux:
            self.rule_11(f)
            self.rule_12(f)
        values = [self.value(0, k, len(self.formulas) - 1) for k in model.initial_nodes]
        need(set(values) <= {"1"} if certificate.verdict == "holds" else "0" in values, certificate.verdict_line,
             "rule 15: the verdict is not what the initial nodes say")

    def find_paths(self, line):
        self.is_path = []
        for f, (operator, *parts) in enumerate(self.formulas):
            has_path = operator != "ap" and any(self.is_path[g] for g in parts)
            need(operator != "not" or not has_path, line, f"formula {f} negates a path formula")
            self.is_path.append(operator != "E" and (has_path or operator in ("X", "U", "R", "Y", "Z", "S", "T")))
        need(not self.is_path[-1], line, "the last formula is a path formula")

    def value(self, i, k, f):
        instance = self.instances[i]
        return instance.value[f][k] if f in instance.value else "-"

    def rule_9(self, f, operator, parts):
        for i, instance in enumerate(self.instances):
            if f not in instance.value or operator == "E":
                continue
            line = instance.lines["value", f]
            need(not self.is_path[f], line, "rule 9: a path formula has no values")
            for k, node in enumerate(instance.component.nodes):
                values = [] if operator == "ap" else [self.value(i, k, g) for g in parts]
                if operator == "ap":
                    right = "1" if parts[0] in node["labels"] else "0"
                elif operator in ("true", "false"):
                    right = "1" if operator == "true" else "0"
                elif operator == "not":
                    right = {"0": "1", "1": "0", "-": "-"}[values[0]]
                else:
                    deciding = "1" if operator == "or" else "0"
                    right = deciding if deciding in values else "-" if "-" in values else values[0]
                self.need(instance.value[f][k] in ("-", right), (line, i, ("node", k)),
                          "rule 9: the value does not follow")

    def rule_10(self, f, tableau):
        states = tableau.states
        need(len(tableau.sets) <= MOST_SETS, states[0][3], "rule 10: more than 64 U")
        need(states[0][0] == {self.formulas[f][1]} and not states[0][1], states[0][3],
             "rule 10: state 0 is not what the formula asks")
        for obligations, before, transitions, line in states:
            need(obligations <= tableau.closure, line, "rule 10: an obligation does not stand in the path formula")
            need(before <= tableau.past, line, "rule 10: the formula does not ask whether that was true before")
            for target, sets in transitions:
                need(not tableau.past or target != 0, line, "rule 10: state 0 is for the first letter only")
                need(all(self.formulas[u][0] == "U" and u in tableau.closure for u in sets), line,
                     "rule 10: there is no such set")

    def is_good(self, f, i, place, state):
        return (f, i, place, state) in self.good_by_exit or all(
            (f, place, state, "good", over) in self.instances[i].fact for over in self.tableaux[f].sets)

    def is_closed(self, f, i, place, state):
        dead = self.instances[i].dead.get((f, place, state))
        return dead is not None and set(dead[2]) <= self.instances[i].dead_exits.get(f, set())

    def letter_at(self, item, f, rule):
        _, i, (_, place, *_) = item
        instance = self.instances[i]
        j, k = (instance.box[place[1]], place[2]) if place[0] == "return" else (i, place[1])
        values = [self.value(j, k, leaf) for leaf in self.tableaux[f].leaves]
        self.need("-" not in values, item, f"rule {rule}: the letter is not known")
        return tuple(value == "1" for value in values)

    def is_dead_end(self, instance, place):
        component = instance.component
        if component.next(place):
            return False
        if place[0] == "return":
            return not component.callee[place[1]].next(("node", place[2]))
        return place[1] not in component.exits

    def may_stay(self, i, place):
        return i == 0 and place[0] == "node" and place[1] in self.instances[0].component.exits

    def rule_11(self, f):
        for i, instance in enumerate(self.instances):
            for k, said in enumerate(instance.value.get(f, "")):
                where = (instance.lines["value", f], i, ("node", k))
                self.need(said != "1" or self.is_good(f, i, ("node", k), 0), where,
                          "rule 11: the node is not shown to be good")
                self.need(said != "0" or self.is_closed(f, i, ("node", k), 0), where,
                          "rule 11: the node is not shown to be dead")

    def rule_12(self, f):
        root = self.instances[0]
        for kind, exits in (("good", root.good), ("dead", root.dead_exits)):
            need(not exits.get(f), root.lines.get((kind, f)), "rule 12: the root has a context")
        for i, instance in enumerate(self.instances):
            for box, j in sorted(instance.box.items()):
                there = self.instances[j]
                for x, state in sorted(there.good.get(f, ())):
                    place = ("return", box, x)
                    self.need(self.is_good(f, i, place, state), (there.lines["good", f], i, place),
                              "rule 12: the return point is not good")
                for x, state in sorted(there.dead_exits.get(f, ())):
                    place = ("return", box, x)
                    self.need(self.is_closed(f, i, place, state), (there.lines["dead", f], i, place),
                              "rule 12: the return point is not dead")

    def rule_13(self, item):
        _, i, (f, place, state, target, over) = item
        instance, tableau = self.instances[i], self.tableaux[f]
        rank, (kind, *choice) = instance.fact[item[2]]
        self.need(over == "any" or over in tableau.sets, item, "rule 13: there is no such set")
        letter = self.letter_at(item, f, 13)
        if kind == "here":
            self.need(over == "any" and place[0] == "node" and place[1] in instance.component.exits
                      and target == (place[1], state), item, "rule 13: the fact is not true here")
            return
        if kind == "end":
            self.need(target == "good" and self.is_dead_end(instance, place) and tableau.may_end(letter, state), item,
                      "rule 13: no path that is accepted ends here")
            return
        successor, transition, through, marked, arrives = choice
        self.need(tableau.allows(letter, state, transition), item, "rule 13: the letter does not allow the transition")
        over = "any" if over in tableau.sets_of(state, transition) else over
        j, state, successor = i, tableau.states[state][2][transition][0], successor or place
        if choice[0] is None:
            self.need(self.may_stay(i, place), item, "rule 13: a path stays only at an exit of the root")

        def smaller(number, p, q, t, u, why):
            found = self.instances[number].fact.get((f, p, q, t, u))
            self.need(found is not None and found[0] < rank, item, f"rule 13: {why} has no such fact with a smaller rank")

        if successor[0] == "call":
            self.need(through is not None or target == "good", item, "rule 13: an exit is reached only by returning")
            j, successor = instance.box[successor[1]], ("node", successor[2])
            if through is not None:
                smaller(j, successor, state, through, over if marked else "any", "the callee's entry")
                over = "any" if marked else over
                j, state, successor = i, through[1], ("return", choice[0][1], through[0])
        if arrives:
            self.need(target == "good" and over == "any" and self.is_good(f, j, successor, state), item,
                      "rule 13: it does not arrive at what is good")
        else:
            smaller(j, successor, state, target, over, "what follows")

    def rule_14(self, item):
        _, i, (f, place, state) = item
        instance, tableau = self.instances[i], self.tableaux[f]
        rank, missing, reach = instance.dead[item[2]]
        self.need(set(tableau.sets).issuperset({missing}.union(*reach.values())), item, "rule 14: there is no such set")
        letter = self.letter_at(item, f, 14)
        self.need(tableau.is_complete(letter, state), item, "rule 14: the automaton does not go on in every way")
        self.need(not self.is_dead_end(instance, place) or not tableau.may_end(letter, state), item,
                  "rule 14: a path that is accepted ends here")
        if place[0] == "node" and place[1] in instance.component.exits and i != 0:
            self.need((place[1], state) in reach, item, "rule 14: 'reach' lacks the exit itself")

        def goes_on(j, p, q, sets, is_same_frame):
            found = self.instances[j].dead.get((f, p, q))
            self.need(found is not None, item, "rule 14: what follows is not dead")
            self.need(found[0] < rank or (found[:2] == (rank, missing) and missing not in sets), item,
                      "rule 14: the rank does not go down")
            for x, more in found[2].items():
                self.need(not is_same_frame or (x in reach and sets | more <= reach[x]), item,
                          "rule 14: 'reach' lacks what follows reaches")
            return found[2]

        for t, (target, _) in enumerate(tableau.states[state][2]):
            if not tableau.allows(letter, state, t):
                continue
            sets = tableau.sets_of(state, t)
            for m in instance.component.next(place):
                if m[0] == "node":
                    goes_on(i, m, target, sets, True)
                else:
                    ways = goes_on(instance.box[m[1]], ("node", m[2]), target, sets, False)
                    for (x, q), more in ways.items():
                        goes_on(i, ("return", m[1], x), q, sets | more, True)
            if self.may_stay(i, place):
                goes_on(i, place, target, sets, True)
