"""What holds the thing that a release is about, as far as bitcode tells: whether it is lost if the release is missing.

The argument of the release is traced back over locals, over parameters into the callers and over results into own
functions, LEVELS calls deep. Then it is

  lost      it was made by a function outside and lies in locals alone; or it lies in a structure that is itself a local;
            or in a global, field or element that is overwritten after the release, or whose structure is released then,
            in the function or right after it in a caller
            a lock: the function took it before
  held      it lies in a global, field or element, now or by an earlier store, and stays there: what holds it lives on
  unknown   none of these: it comes from a function that nobody calls by name, or the lock was taken elsewhere

"After" and "earlier" mean that the function's flow leads from one to the other.
"""

LEVELS = 3
RETURN, INVOKE, ALLOCA, LOAD, STORE, GET_ELEMENT_PTR, PHI, CALL, SELECT = 1, 5, 26, 27, 28, 29, 44, 45, 46
CONVERSIONS = range(30, 42)


class Holders:
    """Of one program (seeds.Program); `releases` are the names of functions that release their first argument."""

    def __init__(self, program, releases):
        self.program, self.llvm, self.releases = program, program.llvm, releases
        self.after = {}  # by block: the blocks that the flow leads to

    def opcode(self, value):
        return self.llvm.GetInstructionOpcode(value) if value and self.llvm.IsAInstruction(value) else 0

    def users(self, value):
        use = self.llvm.GetFirstUse(value)
        while use:
            yield self.llvm.GetUser(use)
            use = self.llvm.GetNextUse(use)

    def is_call(self, value):
        return self.opcode(value) in (CALL, INVOKE)

    def callers(self, function):
        return [user for user in self.users(function)
                if self.is_call(user) and self.llvm.GetCalledValue(user) == function]

    def function_of(self, instruction):
        return self.llvm.GetBasicBlockParent(self.llvm.GetInstructionParent(instruction))

    def key(self, value):
        """Equal for values that are read from the same places by name."""
        opcode = self.opcode(value)
        if opcode in CONVERSIONS:
            return self.key(self.llvm.GetOperand(value, 0))
        if opcode == LOAD:
            return ("at", self.key(self.llvm.GetOperand(value, 0)))
        if opcode == GET_ELEMENT_PTR:
            base, *steps = self.program.operands(value)
            # The address of the first member is that of the structure.
            if all(self.number(step) == 0 for step in steps):
                return self.key(base)
            return ("in", self.key(base), *(self.number(step) for step in steps))
        return value

    def number(self, step):
        return self.llvm.ConstIntGetZExtValue(step) if self.llvm.IsAConstantInt(step) else self.key(step)

    def parts(self, key):
        """The key and those of the pointers that it was come to over."""
        while isinstance(key, tuple):
            yield key
            key = key[1]
        yield key

    def leads_to(self, before, behind):
        """The flow of the function leads from one instruction to the other."""
        first, last = self.llvm.GetInstructionParent(before), self.llvm.GetInstructionParent(behind)
        if first == last:
            at = self.llvm.GetNextInstruction(before)
            while at:
                if at == behind:
                    return True
                at = self.llvm.GetNextInstruction(at)
        if first not in self.after:
            seen, todo = set(), [first]
            while todo:
                end = self.llvm.GetBasicBlockTerminator(todo.pop())
                for i in range(self.llvm.GetNumSuccessors(end)):
                    block = self.llvm.GetSuccessor(end, i)
                    if block not in seen:
                        seen.add(block)
                        todo.append(block)
            self.after[first] = seen
        return last in self.after[first]

    def sources(self, value, levels, seen):
        """Yields ("made", local that holds it or None), ("place", address, function) or ("unknown",)."""
        if (value, levels) in seen:
            return
        seen.add((value, levels))
        opcode = self.opcode(value)
        if opcode in CONVERSIONS:
            yield from self.sources(self.llvm.GetOperand(value, 0), levels, seen)
        elif opcode in (PHI, SELECT):
            for operand in self.program.operands(value)[1 if opcode == SELECT else 0:]:
                yield from self.sources(operand, levels, seen)
        elif opcode == LOAD and self.opcode(self.llvm.GetOperand(value, 0)) == ALLOCA:
            local = self.llvm.GetOperand(value, 0)
            for user in self.users(local):
                if self.opcode(user) == STORE and self.llvm.GetOperand(user, 1) == local:
                    for source in self.sources(self.llvm.GetOperand(user, 0), levels, seen):
                        yield ("made", local) if source == ("made", None) else source
                elif self.is_call(user):
                    yield ("made", local)  # by a function that is given its address
        elif opcode == LOAD:
            yield ("place", self.llvm.GetOperand(value, 0))
        elif opcode in (CALL, INVOKE):
            yield from self.results(value, levels, seen)
        elif self.llvm.IsAArgument(value):
            function = self.llvm.GetParamParent(value)
            number = next(i for i in range(self.llvm.CountParams(function)) if self.llvm.GetParam(function, i) == value)
            calls = self.callers(function) if levels else []
            if not calls:
                yield ("unknown",)
            for call in calls:
                if number < self.llvm.GetNumOperands(call) - 1:
                    yield from self.sources(self.llvm.GetOperand(call, number), levels - 1, seen)
        elif not self.llvm.IsAConstant(value):
            yield ("place", value)

    def results(self, call, levels, seen):
        callee = self.llvm.GetCalledValue(call)
        if not self.llvm.IsAFunction(callee) or not self.llvm.GetFirstBasicBlock(callee) or not levels:
            yield ("made", None)
            return
        for instruction in self.program.instructions(callee):
            if self.opcode(instruction) == RETURN and self.llvm.GetNumOperands(instruction):
                for source in self.sources(self.llvm.GetOperand(instruction, 0), levels - 1, seen):
                    yield ("made", None) if source[0] in ("made", "unknown") else source

    def is_stored(self, local, release):
        """What the local holds was stored elsewhere before."""
        for load in self.users(local):
            for user in self.users(load) if self.opcode(load) == LOAD else ():
                if (self.opcode(user) == STORE and self.llvm.GetOperand(user, 0) == load
                        and self.opcode(self.llvm.GetOperand(user, 1)) != ALLOCA
                        and self.function_of(user) == self.function_of(release) and self.leads_to(user, release)):
                    return True
        return False

    def is_lost_from(self, address, release, levels):
        """What lies there cannot be found any more at the end."""
        key = self.key(address)
        *_, root = self.parts(key)
        if not any(part[0] == "at" for part in self.parts(key) if isinstance(part, tuple)) and self.opcode(root) == ALLOCA:
            return True
        holding = set(self.parts(key))
        function = self.function_of(release)
        for instruction in self.program.instructions(function):
            opcode = self.opcode(instruction)
            if opcode == STORE and self.key(self.llvm.GetOperand(instruction, 1)) == key:
                if self.leads_to(release, instruction):
                    return True
            elif (self.is_call(instruction) and self.llvm.GetNumOperands(instruction) > 1 and instruction != release
                  and self.program.name(self.llvm.GetCalledValue(instruction)) in self.releases
                  and self.key(self.llvm.GetOperand(instruction, 0)) in holding and self.leads_to(release, instruction)):
                return True
        return levels > 0 and self.is_lost_in_caller(key, root, function, levels)

    def is_lost_in_caller(self, key, root, function, levels):
        """The structure came by a parameter, and a caller loses or releases it after the call."""
        number = self.parameter_of(root, function)
        if number is None:
            return False
        for call in self.callers(function):
            if number >= self.llvm.GetNumOperands(call) - 1:
                continue
            base = self.key(self.llvm.GetOperand(call, number))
            if self.opcode(base) == ALLOCA if not isinstance(base, tuple) else self.is_lost_structure(base, call):
                return True
            for instruction in self.program.instructions(self.function_of(call)):
                if (self.is_call(instruction) and instruction != call and self.llvm.GetNumOperands(instruction) > 1
                        and self.program.name(self.llvm.GetCalledValue(instruction)) in self.releases
                        and self.key(self.llvm.GetOperand(instruction, 0)) == base
                        and self.leads_to(call, instruction)):
                    return True
            caller_root = list(self.parts(base))[-1]
            if self.is_lost_in_caller(base, caller_root, self.function_of(call), levels - 1) if levels > 1 else False:
                return True
        return False

    def is_lost_structure(self, base, call):
        """A part of a local structure of the caller."""
        *_, root = self.parts(base)
        return self.opcode(root) == ALLOCA and not any(part[0] == "at" for part in self.parts(base) if isinstance(part, tuple))

    def parameter_of(self, root, function):
        """The number of the parameter that lies in the local, or is the value."""
        values = [root]
        if self.opcode(root) == ALLOCA:
            values = [self.llvm.GetOperand(user, 0) for user in self.users(root)
                      if self.opcode(user) == STORE and self.llvm.GetOperand(user, 1) == root]
        for i in range(self.llvm.CountParams(function)):
            if len(values) == 1 and self.llvm.GetParam(function, i) == values[0]:
                return i
        return None

    def is_taken_before(self, release):
        """The function locks what is unlocked."""
        key = self.key(self.llvm.GetOperand(release, 0))
        return any(self.is_call(instruction) and self.llvm.GetNumOperands(instruction) > 1
                   and "lock" in (name := self.program.name(self.llvm.GetCalledValue(instruction)))
                   and "unlock" not in name and self.key(self.llvm.GetOperand(instruction, 0)) == key
                   and self.leads_to(instruction, release)
                   for instruction in self.program.instructions(self.function_of(release)))

    def fate(self, release, kind):
        if kind == "lock":
            return "lost" if self.is_taken_before(release) else "unknown"
        found = set(self.sources(self.llvm.GetOperand(release, 0), LEVELS, set()))
        function = self.function_of(release)
        is_held = False
        for source in found:
            if source[0] == "made":
                if source[1] and self.is_stored(source[1], release):
                    is_held = True
                else:
                    return "lost"
            elif source[0] == "place":
                address = source[1]
                is_here = not self.llvm.IsAInstruction(address) or self.function_of(address) == function
                if is_here and self.is_lost_from(address, release, LEVELS):
                    return "lost"
                is_held = True
        return "held" if is_held else "unknown"
