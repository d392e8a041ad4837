"""Runs nestor under limits and keeps what came out, one CSV line a run, so that a run can be resumed."""

import csv
import json
import pathlib
import subprocess
import sys
import time

FIELDS = ["case", "engine", "verdict", "reason", "contexts", "check_seconds", "read_seconds", "wall_seconds",
          "peak_mb", "components", "nodes"]
GRACE = 120  # seconds for reading and for ending after the limit, before nestor is killed


def call(nestor, *arguments):
    """What nestor prints; an error if it cannot do it."""
    done = subprocess.run([nestor, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"nestor {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def check(nestor, model, formula, engine, limits):
    """One formula on one model by one engine, `lazy:random` is lazy with --choice=random: a row without its case."""
    name, _, choice = engine.partition(":")
    command = [nestor, "check", str(model), str(formula), "--json", f"--engine={name}", "--jobs=1",
               f"--timeout={limits.timeout}", f"--memory={limits.memory}"] + ([f"--choice={choice}"] if choice else [])
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=limits.timeout + GRACE)
    except subprocess.TimeoutExpired:
        return {"engine": engine, "verdict": "unknown", "reason": "killed: the time limit was not kept",
                "wall_seconds": f"{time.monotonic() - start:.3f}"}
    wall = time.monotonic() - start
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
    report = json.loads(done.stdout)
    result, stats = report["results"][0], report["stats"]
    return {"engine": engine, "verdict": result["verdict"], "reason": result.get("reason", ""),
            "contexts": result["contexts"], "check_seconds": f"{stats['check.seconds']:.6f}",
            "read_seconds": f"{stats['read.seconds']:.6f}", "wall_seconds": f"{wall:.3f}",
            "peak_mb": stats["memory.peak_bytes"] // 1000000, "components": stats["model.components"],
            "nodes": stats["model.nodes"]}


def empty_procedures(model):
    """(procedure, node) of every node that is an entry and an exit: a procedure, or a way through one, without a step."""
    components = json.loads(pathlib.Path(model).read_text(encoding="utf-8"))["components"]
    return {(component["name"], node["name"]) for component in components for node in component["nodes"]
            if node["is_entry"] and node["is_exit"]}


def counterexample(nestor, model, formula, path):
    """Writes the counterexample to a failing formula and replays it. Returns how long it is, how many calls of empty
    procedures it makes, and what `nestor replay` says."""
    text = pathlib.Path(formula).read_text(encoding="utf-8").strip()
    found = call(nestor, "check", model, formula, "--json", "--witness")
    path.write_text(found, encoding="utf-8")
    witness = json.loads(found)["results"][0]["witness"]
    evidence = witness["evidence"][witness["roots"][0]]
    empty = empty_procedures(model)
    states = [witness["states"][state] for state in evidence["path"]]
    passed = sum((state["procedure"], state["node"]) in empty for state in states)
    return len(evidence["steps"]), passed, call(nestor, "replay", model, text, path).strip()


class Progress:
    """`grid 120/500, 3:20 left` on standard error: rewritten in place on a terminal, else now and then."""

    def __init__(self, name, total):
        self.name, self.total, self.done, self.fresh = name, total, 0, 0
        self.start = self.shown = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self, fresh):
        self.done += 1
        self.fresh += fresh
        now = time.monotonic()
        last = self.done == self.total
        if not last and now - self.shown < (0.2 if self.terminal else 30):
            return
        self.shown = now
        left = (now - self.start) / max(self.fresh, 1) * (self.total - self.done)
        width = 30 * self.done // self.total
        text = (f"{self.name} [{'#' * width}{'.' * (30 - width)}] {self.done}/{self.total}, "
                f"{int(left) // 60}:{int(left) % 60:02} left")
        print(f"\r{text} " if self.terminal else text, end="" if self.terminal and not last else "\n",
              file=sys.stderr, flush=True)


class Table:
    """The CSV file of an experiment. Each row is on disk before the next run begins."""

    def __init__(self, path, resume):
        self.path = pathlib.Path(path)
        self.rows = {}
        if resume and self.path.exists():
            with self.path.open(newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    # A line that was cut off by an interruption is not finished.
                    if None not in row.values() and row["verdict"] in ("holds", "fails", "unknown"):
                        self.rows[row["case"], row["engine"]] = row
        with self.path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS, restval="")
            writer.writeheader()
            writer.writerows(self.rows.values())

    def add(self, case, row):
        row = {field: str(row.get(field, "")) for field in FIELDS} | {"case": case}
        self.rows[case, row["engine"]] = row
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, FIELDS).writerow(row)

    def get(self, case, engine):
        return self.rows.get((case, engine))

    def of_case(self, case):
        return [row for (other, _), row in self.rows.items() if other == case]


def run_all(name, cases, engines, table, nestor, limits):
    """cases: (key, a function that makes the model and the formula and returns their paths)."""
    progress = Progress(name, len(cases) * len(engines))
    for key, make in cases:
        missing = [engine for engine in engines if table.get(key, engine) is None]
        paths = make() if missing else None
        for engine in engines:
            if engine in missing:
                table.add(key, check(nestor, *paths, engine, limits))
            progress.step(engine in missing)


def disagreements(table):
    """Cases on which two engines give different verdicts. There must be none."""
    verdicts = {}
    for (case, _), row in table.rows.items():
        if row["verdict"] != "unknown":
            verdicts.setdefault(case, set()).add(row["verdict"])
    return sorted(case for case, found in verdicts.items() if len(found) > 1)
