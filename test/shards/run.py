#!/usr/bin/env python3
"""Runs in shards and merges their parts: what comes out is byte for byte what one run prints. Parts that do not belong
together are refused by name.

usage: run.py NESTOR SOURCE-ROOT [--seed=N] [--cases=N]
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

EXAMPLE = ["examples/dataflow.rsm", "examples/dataflow.ctl"]
NETS = [["examples/philosophers.net", "-f", "AG EX true", "-f", "EF deadlock", "-f", "AG AF true", "-f", "EF AG false", "--json"],
        ["examples/mutex.net", "-f", "EF deadlock", "-f", "AG EF !deadlock", "--witness"]]
CHECKS = [
    [*EXAMPLE], [*EXAMPLE, "--json"], [*EXAMPLE, "--mcc"], [*EXAMPLE, "--witness"], [*EXAMPLE, "--json", "--witness"],
    ["examples/recursion.rsm", "-f", "a := AG EF p", "-f", "EF nothing", "-f", "b := EG true", "--json"],  # with warnings
    ["examples/recursion.rsm", "-f", "EF nothing", "-f", "AG EF p", "--witness"],
    ["examples/dataflow.rsm", "examples/dataflow.ctl", "--steps=1", "--json"],  # unknown
]
LINTS = [["--all-rules"], ["--all-rules", "--format=json"], ["--all-rules", "--format=sarif"], ["--all-rules", "--format=junit"],
         ["--rule=double-free", "--format=json"]]


class Runner:
    def __init__(self, nestor, root, folder):
        self.nestor, self.root, self.folder = nestor, root, folder
        self.problems = []
        self.compared = 0

    def run(self, *arguments):
        return subprocess.run([self.nestor, *map(str, arguments)], cwd=self.root, capture_output=True, check=False)

    def parts(self, command, count, *options):
        """The files that the shards write."""
        files = []
        for i in range(1, count + 1):
            file = self.folder / f"part-{i}-of-{count}.json"
            file.unlink(missing_ok=True)
            done = self.run(*command, f"--shard={i}/{count}", "-o", file, *options)
            if done.returncode != 0 or done.stdout or not file.exists():
                self.problems.append(f"{command} --shard={i}/{count}: {done}")
            files.append(file)
        return files

    def compare(self, command, count, *options):
        """One run and all shards; the parts come in another order than that of their numbers."""
        files = self.parts(command, count, *options)
        one = self.run(*command, *(["--reproducible"] if command[0] == "check" else []))
        merged = self.run("merge", *reversed(files))
        self.compared += 1
        if (one.returncode, one.stdout) != (merged.returncode, merged.stdout):
            self.problems.append(f"{command} in {count} shards: status {one.returncode} and {merged.returncode}\n"
                                 f"{one.stdout[:2000].decode()}\n{merged.stdout[:2000].decode()}\n{merged.stderr.decode()}")
        if command[0] == "check" and one.stderr != merged.stderr:
            self.problems.append(f"{command}: {one.stderr} is not {merged.stderr}")
        if command[0] == "lint" and one.stderr.split(b"\n")[-2:] != merged.stderr.split(b"\n")[-2:]:
            self.problems.append(f"{command}: {one.stderr} is not {merged.stderr}")
        return files

    def refused(self, message, files, *options):
        """With status 2, a message that names the file, and nothing written."""
        out = self.folder / "out"
        out.unlink(missing_ok=True)
        done = self.run("merge", "-o", out, *options, *files)
        if done.returncode != 2 or done.stdout or message not in done.stderr.decode() or out.exists():
            self.problems.append(f"'{message}' was expected of merge {[str(file) for file in files]}: {done}")


def check_random(runner, seed, cases):
    """Models with calls, and formulas that share subformulas."""
    draw = random.Random(seed)
    model, formulas = runner.folder / "random.rsm", runner.folder / "random.ctl"
    for case in range(cases):
        number = draw.randrange(10**6)
        runner.run("generate", "rsm", "--components=4", "--nodes=12", f"--seed={number}", "-o", model)
        done = runner.run("generate", "ctl", "--count=9", "--depth=3", f"--seed={number}", "-o", formulas)
        if done.returncode != 0:
            runner.problems.append(f"generate: {done}")
            return
        options = [["--json", "--witness"], ["--witness"], ["--json"]][case % 3]
        before = len(runner.problems)
        runner.compare(["check", model, formulas, *options], draw.choice([2, 3, 5, 12]))
        if len(runner.problems) > before:
            runner.problems[-1] = f"seed {seed}, model {number}: " + runner.problems[-1]
            return


def check_costs(runner):
    """What took long gets a shard of its own."""
    formulas = ["EF a", "EF b", "EF c", "EF d"]
    command = ["check", "examples/recursion.rsm", "--json", *(word for f in formulas for word in ("-f", f))]
    files = runner.compare(command, 1)
    costs = runner.folder / "costs.json"
    done = runner.run("merge", "--costs", costs, *files)
    known = json.loads(costs.read_text())
    if [cost["unit"] for cost in known["costs"]] != formulas:
        runner.problems.append(f"costs: {done} {known}")
    for cost in known["costs"]:
        cost["seconds"] = 100 if cost["unit"] == "EF c" else 1
    costs.write_text(json.dumps(known))
    files = runner.compare(command, 2, f"--shard-costs={costs}")
    shares = sorted([row["formula"] for row in json.loads(file.read_text())["rows"]] for file in files)
    if shares != [["EF a", "EF b", "EF d"], ["EF c"]]:
        runner.problems.append(f"a share that is not balanced: {shares}")
    earlier = runner.folder / "earlier.json"
    earlier.write_bytes(runner.run(*command).stdout)
    runner.compare(command, 3, f"--shard-costs={earlier}")


def changed(file, to, *replacements):
    text = file.read_text()
    for old, new in replacements:
        assert old in text, (old, text)
        text = text.replace(old, new, 1)
    to.write_text(text)
    return to


def check_refusals(runner):
    command = ["check", *EXAMPLE, "--json"]
    one, two, three = runner.parts(command, 3)
    folder = runner.folder
    runner.refused(f"{two}: error: it is one of 3 shards, of which number 3 is missing", [one, two])
    runner.refused(f"{three}: error: it is one of 3 shards, of which number 2 is missing", [one, three])
    runner.refused(f"{two}: error: it is one of 3 shards, of which number 1 is missing", [three, two])
    again = folder / "again.json"
    shutil.copy(two, again)
    runner.refused(f"{again}: error: shard 2 of 3 is in {two} already", [one, two, again, three])
    version = json.loads(one.read_text())["nestor"]
    other = changed(two, folder / "version.json", (f'"nestor":"{version}"', '"nestor":"0.0.1"'))
    runner.refused(f"{other}: error: it was written by nestor 0.0.1, and this is nestor {version}", [one, other, three])
    digest = json.loads(one.read_text())["input"]
    other = changed(two, folder / "input.json", (digest, "0" * 64))
    runner.refused(f"{other}: error: it is of other input than {one}", [one, other, three])
    other = changed(two, folder / "options.json", ('"--json"]', '"--json","--engine=lazy"]'))
    runner.refused(f"{other}: error: it was made with other options than {one}: '{' '.join(EXAMPLE)} --json --engine=lazy' "
                   f"and '{' '.join(EXAMPLE)} --json'", [one, other, three])
    half, = runner.parts(command, 1)
    runner.refused(f"{half}: error: it is one of 1 shards, and {one} one of 3", [one, half, three])
    for size in (0, 1, 100, len(two.read_bytes()) - 2):
        other = folder / f"truncated-{size}.json"
        other.write_bytes(two.read_bytes()[:size])
        runner.refused("error: the file ends in the middle of its JSON", [one, other, three])
        runner.refused(f"{other}:", [one, other, three])
    other = folder / "other.json"
    other.write_text("holds  AG true\n")
    runner.refused(f"{other}:1:1: error: no JSON", [one, other, three])
    other.write_bytes(runner.run(*command).stdout)
    runner.refused(f"{other}: error: it is no part of a report", [one, other, three])
    runner.refused("error: cannot open 'no/such/part'", ["no/such/part"])
    # A row that is there twice, one that is missing, and others that are damaged.
    row = json.loads(two.read_text())["rows"][0]
    other = changed(two, folder / "row.json", (f'"position":"{row["position"]}"', '"position":"0"'))
    runner.refused("is there twice, or a formula is missing", [one, other, three])
    other = changed(two, folder / "row.json", (f'"position":"{row["position"]}"', '"position":"-1"'))
    runner.refused(f"{other}: error: '-1' is no number", [one, other, three])
    other = changed(two, folder / "row.json", (f'"verdict":"{row["verdict"]}"', '"verdict":"perhaps"'))
    runner.refused(f"{other}: error: 'perhaps' is no verdict", [one, other, three])
    other = changed(two, folder / "row.json", ('"shard":2', '"shard":4'))
    runner.refused(f"{other}: error: there is no shard 4 of 3", [one, other, three])
    other = changed(two, folder / "row.json", ('"command":"check"', '"command":"count"'))
    runner.refused(f"{other}: error: it is of 'nestor count', and {one} of 'nestor check'", [one, other, three])
    other = changed(two, folder / "row.json", ('"rows":', '"lines":'))
    runner.refused(f"{other}: error: 'rows' is missing", [one, other, three])
    # The same run of other files.
    model = folder / "model.rsm"
    shutil.copy(runner.root / EXAMPLE[0], model)
    first = runner.parts(["check", model, "-f", "EF a", "-f", "AG b"], 2)[0]
    shutil.copy(first, again)
    model.write_text(model.read_text() + "\n")
    second = runner.parts(["check", model, "-f", "EF a", "-f", "AG b"], 2)[1]
    runner.refused(f"{second}: error: it is of other input than {again}", [again, second])


def check_lint_refusals(runner):
    one, two = runner.parts(["lint", "test/llvm/double_free.ll", "--quiet"], 2)
    content = json.loads(one.read_text())["content"]
    which, other = (one, two) if content["warnings"] else (two, one)
    bad = changed(which, runner.folder / "bad.json", ('"fault":', '"foul":'))
    runner.refused(f"{bad}: error: 'fault' is missing", [bad, other])
    rules = len(content["rules"])
    warning = json.loads(which.read_text())["content"]["warnings"][0]
    bad = changed(which, runner.folder / "bad.json", (f'{{"rule":{warning["rule"]},"unit"', '{"rule":999,"unit"'))
    runner.refused(f"{bad}: error: there is no rule 999, but {rules}", [bad, other])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nestor")
    parser.add_argument("root")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=int(60 * float(os.environ.get("NESTOR_SCALE", "1"))) + 1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(str(pathlib.Path(arguments.nestor).resolve()), pathlib.Path(arguments.root).resolve(), pathlib.Path(folder))
        for command in CHECKS:
            for count in (1, 2, 5):
                runner.compare(["check", *command], count)
        for command in NETS:
            runner.compare(["check", *command], 3)
        has_llvm = features.has_llvm(runner.nestor)
        for options in LINTS if has_llvm else []:
            for count in (1, 3):
                runner.compare(["lint", "test/llvm/double_free.ll", *options], count)
        check_costs(runner)
        check_refusals(runner)
        if has_llvm:
            check_lint_refusals(runner)
        else:
            print("lint is left out: built without LLVM")
        check_random(runner, arguments.seed, arguments.cases)
    print("\n".join(runner.problems[:10]) or f"{runner.compared} merged reports are what one run prints")
    return 1 if runner.problems else 0


if __name__ == "__main__":
    sys.exit(main())
