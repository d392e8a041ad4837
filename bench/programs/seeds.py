#!/usr/bin/env python3
"""Seeded bugs: takes one release at a time out of the programs that build.sh made, and counts what `nestor lint` finds.

usage: seeds.py NESTOR FOLDER [PROGRAM…] [--half=tuning|held-back|both] [--most=N] [--jobs=N] [--list] [--json=FILE]

A release is a call that unlocks, closes or frees (RELEASES), or of a small function of the program's own that does so
with its parameter and is named after it. Its argument is no constant, and its function can be reached from main, by
calls or by its address. It is not in main, and its function can return after it: what is left when the program ends,
the system clears away, so that a release before exit is no fault to leave out. And something is lost without it, by what
holders.py can tell from the bitcode: what a global or a field still holds is not. Nothing else is asked of a site:
whether the release is null there, or follows again later, is not looked at, and counts as missed. The call is deleted
in the bitcode; 0 stands for its result. A seed is found if there is a
warning of a rule for leaks or locks (RULES) at a place where the program as it was had none, or fewer.

Sites are ordered by the hash of where they are, the kinds of release taking turns, so that the same ones are chosen
everywhere. One bit of that hash tells the halves: rules are tuned on one of them only.
"""

import argparse
import collections
import concurrent.futures
import ctypes
import hashlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

from holders import Holders

# Small enough for a run a seed.
PROGRAMS = ["bzip2", "diff", "find", "gzip", "less", "lua", "memcached", "minigzip", "patch", "sshd", "tar", "tree",
            "wget", "xz"]
MOST = 40  # seeds of one program
RELEASES = {
    "free": "memory", "fclose": "stream", "pclose": "stream", "close": "descriptor", "closedir": "directory",
    "pthread_mutex_unlock": "lock", "pthread_rwlock_unlock": "lock", "pthread_spin_unlock": "lock",
}
KINDS = ["memory", "stream", "descriptor", "directory", "lock"]
HOLDERS = ["local", "parameter", "field", "global", "other"]  # what the argument is read from
OWN = re.compile(r"free|close|unlock|release|destroy|delete")
OWN_INSTRUCTIONS = 80
RULES = re.compile(r"[a-z]+-leak|lock-n[a-z]+-released|double-lock")
WARNING = re.compile(r"(?m)^([^\s:][^:\n]*:\d+(?::\d+)?): (?:error|warning|note): .* \[([a-z-]+)\]$")

# place: file:line; index: of the instruction in its function
Site = collections.namedtuple("Site", "function index callee kind holder fate place")

# What is used of LLVM's C interface: result and arguments, p a pointer, n a number, v nothing.
LLVM = {
    "ContextCreate": "p", "ContextDispose": "vp", "CreateMemoryBufferWithContentsOfFile": "nppp",
    "ParseBitcodeInContext2": "nppp", "CloneModule": "pp", "DisposeModule": "vp", "WriteBitcodeToFile": "npp",
    "GetNamedFunction": "ppp", "GetFirstBasicBlock": "pp", "GetNextBasicBlock": "pp", "GetFirstInstruction": "pp",
    "GetNextInstruction": "pp", "GetInstructionOpcode": "np", "GetCalledValue": "pp", "GetNumOperands": "np",
    "GetOperand": "ppn", "GetFirstUse": "pp", "GetNextUse": "pp", "GetUser": "pp", "GetValueName2": "ppp",
    "GetDebugLocLine": "np", "GetDebugLocFilename": "ppp", "IsAFunction": "pp", "IsAGlobalVariable": "pp",
    "IsAConstant": "pp", "IsAGlobalValue": "pp", "IsAArgument": "pp", "IsAInstruction": "pp", "TypeOf": "pp",
    "GetTypeKind": "np", "ConstNull": "pp", "ReplaceAllUsesWith": "vpp", "InstructionEraseFromParent": "vp",
    "GetInstructionParent": "pp", "GetBasicBlockTerminator": "pp", "GetNumSuccessors": "np", "GetSuccessor": "ppn",
    "GetBasicBlockParent": "pp", "GetParamParent": "pp", "CountParams": "np", "GetParam": "ppn",
    "ConstIntGetZExtValue": "np", "IsAConstantInt": "pp",
}
RETURN, STORE, LOAD, ALLOCA, GET_ELEMENT_PTR, CALL = 1, 28, 27, 26, 29, 45
VOID_TYPE = 0


def bound():
    library = ctypes.CDLL("libLLVM-19.so")
    types = {"p": ctypes.c_void_p, "n": ctypes.c_uint, "v": None}
    functions = {}
    for name, signature in LLVM.items():
        functions[name] = getattr(library, "LLVM" + name)
        functions[name].restype = types[signature[0]]
        functions[name].argtypes = [types[letter] for letter in signature[1:]]
    return argparse.Namespace(**functions)


class Program:
    """A program's bitcode; its sites, and copies without one of them."""

    def __init__(self, path):
        self.llvm = bound()
        self.context = self.llvm.ContextCreate()
        buffer, self.module, message = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        if (self.llvm.CreateMemoryBufferWithContentsOfFile(str(path).encode(), ctypes.byref(buffer), ctypes.byref(message))
                or self.llvm.ParseBitcodeInContext2(self.context, buffer, ctypes.byref(self.module))):
            raise RuntimeError(f"{path}: no bitcode that LLVM reads")

    def instructions(self, function):
        block = self.llvm.GetFirstBasicBlock(function)
        while block:
            instruction = self.llvm.GetFirstInstruction(block)
            while instruction:
                yield instruction
                instruction = self.llvm.GetNextInstruction(instruction)
            block = self.llvm.GetNextBasicBlock(block)

    def text(self, getter, value):
        size = ctypes.c_size_t()  # LLVM has size_t and unsigned here; little end first, both are read
        start = getter(value, ctypes.byref(size))
        return ctypes.string_at(start, size.value).decode() if start else ""

    def name(self, value):
        return self.text(self.llvm.GetValueName2, value)

    def operands(self, value):
        return [self.llvm.GetOperand(value, i) for i in range(self.llvm.GetNumOperands(value))]

    def reachable(self):
        """Functions with a body that main refers to, by calls, by address, or through what globals hold."""
        found, todo = {}, [self.llvm.GetNamedFunction(self.module, b"main")]
        while todo:
            value = todo.pop()
            if value is None or value in found or not self.llvm.IsAConstant(value):
                continue
            found[value] = bool(self.llvm.IsAFunction(value))
            todo += self.operands(value)
            if found[value]:
                for instruction in self.instructions(value):
                    todo += self.operands(instruction)
        return [value for value, is_function in found.items() if is_function and self.llvm.GetFirstBasicBlock(value)]

    def holder(self, argument):
        llvm = self.llvm
        opcode = llvm.IsAInstruction(argument) and llvm.GetInstructionOpcode(argument)
        place = llvm.GetOperand(argument, 0) if opcode == LOAD else argument  # locks are passed as they are
        if llvm.IsAGlobalValue(place):
            return "global"
        opcode = llvm.IsAInstruction(place) and llvm.GetInstructionOpcode(place)
        if opcode == ALLOCA:
            use = llvm.GetFirstUse(place)
            while use:
                user = llvm.GetUser(use)
                if llvm.GetInstructionOpcode(user) == STORE and llvm.IsAArgument(llvm.GetOperand(user, 0)):
                    return "parameter"
                use = llvm.GetNextUse(use)
            return "local"
        return "field" if opcode in (GET_ELEMENT_PTR, LOAD) else "other"

    def returns_after(self, call):
        """Some path through the function comes to its end after the call, if all calls return that can."""
        todo, seen = [self.llvm.GetInstructionParent(call)], set()
        while todo:
            block = todo.pop()
            if block in seen:
                continue
            seen.add(block)
            last = self.llvm.GetBasicBlockTerminator(block)
            if self.llvm.GetInstructionOpcode(last) == RETURN:
                return True
            todo += [self.llvm.GetSuccessor(last, i) for i in range(self.llvm.GetNumSuccessors(last))]
        return False

    def calls(self, function, releases, holders=None):
        """Of functions that `releases` maps to kinds, with an argument that is no constant."""
        for index, instruction in enumerate(self.instructions(function)):
            if self.llvm.GetInstructionOpcode(instruction) != CALL or self.llvm.GetNumOperands(instruction) < 2:
                continue
            callee = self.name(self.llvm.GetCalledValue(instruction))
            argument = self.llvm.GetOperand(instruction, 0)
            if callee in releases and (
                    not self.llvm.IsAConstant(argument) or self.llvm.IsAGlobalVariable(argument)
            ) and self.returns_after(instruction):
                place = (f"{self.text(self.llvm.GetDebugLocFilename, instruction)}:"
                         f"{self.llvm.GetDebugLocLine(instruction)}")
                fate = holders.fate(instruction, releases[callee]) if holders else ""
                yield Site(self.name(function), index, callee, releases[callee], self.holder(argument), fate, place)

    def sites(self):
        reachable, own = self.reachable(), {}
        for function in reachable:
            name = self.name(function)
            if OWN.search(name) and sum(1 for _ in self.instructions(function)) <= OWN_INSTRUCTIONS:
                for site in self.calls(function, RELEASES):
                    if site.holder == "parameter":
                        own[name] = site.kind
        holders = Holders(self, RELEASES | own)
        return [site for function in reachable if self.name(function) != "main"
                for site in self.calls(function, RELEASES | own, holders)]

    def write_without(self, site, path):
        copy = self.llvm.CloneModule(self.module)
        function = self.llvm.GetNamedFunction(copy, site.function.encode())
        call = next(itertools.islice(self.instructions(function), site.index, None))
        if self.llvm.GetTypeKind(type_ := self.llvm.TypeOf(call)) != VOID_TYPE:
            self.llvm.ReplaceAllUsesWith(call, self.llvm.ConstNull(type_))
        self.llvm.InstructionEraseFromParent(call)
        failed = self.llvm.WriteBitcodeToFile(copy, str(path).encode())
        self.llvm.DisposeModule(copy)
        if failed:
            raise RuntimeError(f"{path}: cannot be written")

    def close(self):
        self.llvm.DisposeModule(self.module)
        self.llvm.ContextDispose(self.context)


def digest(program, site):
    place = site.place.rpartition("/")[2]  # without the folder, which need not be the same everywhere
    return hashlib.sha256(f"{program} {site.function} {site.callee} {place} {site.index}".encode()).digest()


def half(program, site):
    return "tuning" if digest(program, site)[-1] & 1 else "held-back"


def chosen(program, sites, most):
    """At most `most` of the sites; the kinds take turns."""
    by_kind = {kind: sorted((site for site in sites if site.kind == kind), key=lambda site: digest(program, site))
               for kind in KINDS}
    turns = itertools.chain.from_iterable(itertools.zip_longest(*by_kind.values()))
    return list(itertools.islice((site for site in turns if site), most))


def rules_of(nestor):
    """{rule: whether it is on by default}"""
    listing = subprocess.run([nestor, "rules"], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in listing.splitlines()]
    return {row[0]: row[2] == "on" for row in words if RULES.fullmatch(row[0])}


def warnings(nestor, rules, bitcode):
    done = subprocess.run([nestor, "lint", "--quiet", "--jobs=1", *(f"--rule={rule}" for rule in rules), str(bitcode)],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{bitcode}: exit status {done.returncode}: {done.stderr[-500:]}")
    return collections.Counter(WARNING.findall(done.stdout))


def run(nestor, folder, names, which="both", most=MOST, jobs=2):
    """One dict a seed, with the rules that found it: those on by default, and the others."""
    rules, seeds = rules_of(nestor), []
    for name in names:
        bitcode = folder / f"{name}.bc"
        program, before = Program(bitcode), warnings(nestor, rules, bitcode)
        releases = program.sites()
        sites = [site for site in releases if site.fate == "lost"]
        picked = [site for site in chosen(name, sites, most) if which in ("both", half(name, site))]

        one_writer = threading.Lock()  # a context of LLVM is for one thread

        def seed(site):
            with tempfile.NamedTemporaryFile(suffix=".bc") as file:
                with one_writer:
                    program.write_without(site, file.name)
                new = warnings(nestor, rules, file.name) - before
            by = sorted({rule for _, rule in new})
            return {"program": name, "sites": len(sites), **site._asdict(), "half": half(name, site),
                    "found": [rule for rule in by if rules[rule]],
                    "found_off": [rule for rule in by if not rules[rule]]}

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            seeds += pool.map(seed, picked)
        program.close()
        found = share([seed for seed in seeds if seed["program"] == name])
        print(f"{name}: {len(releases)} releases, {len(sites)} without which something is lost, found {found} seeds",
              file=sys.stderr, flush=True)
    return seeds


def share(seeds):
    return f"{sum(bool(seed['found']) for seed in seeds)} of {len(seeds)}" if seeds else ""


def tables(seeds):
    """Two tables, with their headers: by program and kind, by what holds the handle."""
    def cells(some, key, values):
        return [*(share([seed for seed in some if seed[key] == value]) for value in values), share(some)]

    groups = collections.defaultdict(list)
    for seed in seeds:
        groups[seed["program"]].append(seed)
    by_program = [[name, group[0]["sites"], *cells(group, "kind", KINDS)] for name, group in groups.items()]
    by_program.append(["all", sum(row[1] for row in by_program), *cells(seeds, "kind", KINDS)])
    by_holder = [[kind, *cells([seed for seed in seeds if seed["kind"] == kind], "holder", HOLDERS)] for kind in KINDS]
    by_holder.append(["all", *cells(seeds, "holder", HOLDERS)])
    return (["program", "releases", *KINDS, "all"], by_program), (["release of", *HOLDERS, "all"], by_holder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--half", choices=["tuning", "held-back", "both"], default="both")
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    seeds = run(options.nestor, options.folder, options.programs, options.half, options.most, options.jobs)
    if options.json:
        options.json.write_text(json.dumps(seeds, indent=1) + "\n", encoding="utf-8")
    if options.list:
        for seed in seeds:
            by = " ".join(seed["found"] + [f"({rule}, off)" for rule in seed["found_off"]]) or "missed"
            print(f"{seed['program']} {seed['place']}: {seed['callee']} in {seed['function']}, {seed['kind']}, "
                  f"{seed['holder']}: {by}")
    for header, rows in tables(seeds):
        print()
        for row in [header, *rows]:
            print("  ".join(f"{cell!s:<12}" for cell in row).rstrip())


if __name__ == "__main__":
    main()
