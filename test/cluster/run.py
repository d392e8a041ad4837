#!/usr/bin/env python3
"""nestor-mpi against one process: the same output, limits, ends before their time, checkpoints.

usage: run.py NESTOR NESTOR-MPI SOURCE-ROOT [--all]

Every net and SMV model of ../shared/models is compared with 2, 4 and 8 processes with --all; without it a few. Skipped
where mpirun is missing.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

NESTOR, NESTOR_MPI, ROOT = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
ALL = "--all" in sys.argv
LIMIT = ["--max-states=100000"]
PROBLEMS = []
# Which dead end is the first depends on the order in which states are found.
FIRST = re.compile(r"first: .*; see --dead-ends")


def environment():
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    env.pop("NESTOR_SCALE", None)
    return env


def together(processes, *arguments):
    return ["mpirun", "-q", "--oversubscribe", "-n", str(processes), str(NESTOR_MPI), *map(str, arguments)]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=1200)


def expect(what, condition, *details):
    if not condition:
        PROBLEMS.append(what)
        print(f"{what}: not so", *details, sep="\n")


def same_as_one(processes, *arguments, engine=True):
    one = run([str(NESTOR), "check", *map(str, arguments), *(["--engine=labelling"] if engine else [])])
    many = run(together(processes, "check", *arguments))
    what = f"{processes} processes: {' '.join(map(str, arguments))}"
    expect(what, one.stdout == many.stdout, one.stdout[:2000], many.stdout[:2000], many.stderr[:2000])
    expect(what + ", status", one.returncode == many.returncode, one.returncode, many.returncode)
    mask = (lambda text: FIRST.sub("first", text))
    expect(what + ", warnings", mask(one.stderr) == mask(many.stderr), one.stderr[:2000], many.stderr[:2000])


def nets(folder):
    archive = ROOT.parent / "shared/models/mcc/nets.tar.xz"
    if not archive.exists():
        return []
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return sorted(folder.rglob("model.pnml"))


def compare(folder):
    examples = ROOT / "examples"
    same_as_one(2, examples / "philosophers.net", examples / "philosophers.ctl")
    same_as_one(4, examples / "mutex.smv")
    same_as_one(3, examples / "recursion.rsm", examples / "recursion.ctl", engine=False)
    same_as_one(2, examples / "dataflow.rsm", examples / "dataflow.ctl", "--witness", engine=False)
    smv = sorted((ROOT.parent / "shared/models/smv").glob("*.smv"))
    models = [(model, formulas) for model in nets(folder)
              for formulas in sorted(model.parent.glob("CTL*.xml"))]
    for i, (model, formulas) in enumerate(models if ALL else models[::7]):
        for processes in (2, 4, 8) if ALL else (2 + i % 3,):
            same_as_one(processes, model, formulas, *LIMIT)
    for i, model in enumerate(smv if ALL else smv[::3]):
        for processes in (2, 4, 8) if ALL else (2 + i % 3,):
            same_as_one(processes, model, *LIMIT)


def ring(path, workers, positions):
    """A net of workers that go round, each on its own: positions to the power of workers markings."""
    out = ['<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" '
           'type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">']
    for w in range(workers):
        for i in range(positions):
            marking = "<initialMarking><text>1</text></initialMarking>" if i == 0 else ""
            out += [f'<place id="p{w}_{i}"><name><text>p{w}_{i}</text></name>{marking}</place>',
                    f'<transition id="t{w}_{i}"><name><text>t{w}_{i}</text></name></transition>',
                    f'<arc id="a{w}_{i}" source="p{w}_{i}" target="t{w}_{i}"/>',
                    f'<arc id="b{w}_{i}" source="t{w}_{i}" target="p{w}_{(i + 1) % positions}"/>']
    path.write_text("\n".join(out + ["</page></net></pnml>"]), encoding="utf-8")
    return path


def witnesses(folder):
    """They are accepted by `nestor replay` about the whole model."""
    examples = ROOT / "examples"
    for model, more in ((examples / "philosophers.net", [examples / "philosophers.ctl"]), (examples / "mutex.smv", [])):
        file = folder / "witness.json"
        run(together(3, "check", model, *more, f"--witness={file}"))
        results = json.loads(file.read_text(encoding="utf-8"))["results"]
        expect(f"{model.name}: each verdict has a witness", all("witness" in r for r in results))
        for number, result in enumerate(results):
            one = folder / f"witness-{number}.json"
            one.write_text(json.dumps(result["witness"]), encoding="utf-8")
            replayed = run([str(NESTOR), "replay", str(model), result["witness"]["formula"], str(one)])
            expect(f"{model.name}: witness {number + 1} is accepted", replayed.returncode == 0, replayed.stdout,
                   replayed.stderr)


FORMULAS = ["-f", "AG EF tokens(p0_0) > 0", "-f", "EG tokens(p0_4) < 1"]


def pids_of(model):
    found = subprocess.run(["pgrep", "-f", f"^{NESTOR_MPI} check {model}"], capture_output=True, text=True)
    return [int(pid) for pid in found.stdout.split()]


def ends(folder):
    """A process that is killed or stops answering ends the run, and nothing is known."""
    model = ring(folder / "ring.pnml", 8, 9)  # larger than anybody waits for
    place = folder / "begun"
    for sign, more in ((signal.SIGKILL, []), (signal.SIGSTOP, ["--silence=1"])):
        shutil.rmtree(place, ignore_errors=True)
        command = together(3, "check", model, *FORMULAS, f"--checkpoint={place}", "--checkpoint-every=0.01", *more)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=environment()) as process:
            while not (place / "manifest").exists() and process.poll() is None:
                time.sleep(0.05)
            victim = max(pids_of(model))
            os.kill(victim, sign)
            out, err = process.communicate(timeout=600)
            if sign == signal.SIGSTOP and victim in pids_of(model):
                os.kill(victim, signal.SIGKILL)
        expect(f"{sign.name}: every verdict is unknown", out.count("unknown") == 2 and "holds" not in out, out, err)
        expect(f"{sign.name}: status", process.returncode not in (0, 1), process.returncode)


def checkpoints(folder):
    model = ring(folder / "small.pnml", 5, 6)
    right = run([str(NESTOR), "check", "--engine=labelling", str(model), *FORMULAS]).stdout
    place = folder / "checkpoint"
    cut = run(together(3, "check", model, *FORMULAS, f"--checkpoint={place}", "--max-states=3000"))
    expect("a limit leaves a checkpoint", cut.returncode == 3 and (place / "manifest").exists(), cut.stdout, cut.stderr)
    for processes in (2, 2, 4):  # of another number, the same, more
        resumed = run(together(processes, "check", model, *FORMULAS, f"--checkpoint={place}", "--resume", "--stats"))
        expect(f"{processes} processes go on", resumed.stdout == right and resumed.returncode == 0, resumed.stdout,
               resumed.stderr)
        expect("all states", re.search(r"explore.states +7776\b", resumed.stderr) is not None, resumed.stderr)
        expect("all transitions", re.search(r"explore.transitions +38880\b", resumed.stderr) is not None,
               resumed.stderr)
        expect("from what there was", re.search(r"cluster.resumed_states +[1-9]\d{3}", resumed.stderr) is not None,
               resumed.stderr)
    refused = run(together(2, "check", model, *FORMULAS, f"--checkpoint={place}"))
    expect("none is overwritten", refused.returncode == 2 and "holds a checkpoint" in refused.stderr, refused.stderr)
    other = ring(folder / "other.pnml", 4, 6)
    refused = run(together(2, "check", other, *FORMULAS, f"--checkpoint={place}", "--resume"))
    expect("one of another model is refused", refused.returncode == 2 and "another model" in refused.stderr
           and "manifest" in refused.stderr, refused.stderr)
    part = sorted(place.glob("part-*"))[0]
    whole = part.read_bytes()
    for what, damaged, message in (("a changed", whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], "not those"),
                                   ("a cut", whole[:-70], "damaged"), ("an empty", b"", "length")):
        part.write_bytes(damaged)
        for processes in (4, 3):
            refused = run(together(processes, "check", model, *FORMULAS, f"--checkpoint={place}", "--resume"))
            expect(f"{what} part is refused", refused.returncode == 2 and part.name in refused.stderr
                   and message in refused.stderr, refused.stderr, refused.stdout)
    part.unlink()
    refused = run(together(4, "check", model, *FORMULAS, f"--checkpoint={place}", "--resume"))
    expect("a missing part is refused", refused.returncode == 2 and "missing" in refused.stderr, refused.stderr)
    (place / "manifest").write_text("nestor checkpoint 1\n", encoding="utf-8")
    refused = run(together(2, "check", model, *FORMULAS, f"--checkpoint={place}", "--resume"))
    expect("a damaged manifest is refused", refused.returncode == 2 and "manifest" in refused.stderr, refused.stderr)
    refused = run(together(2, "check", model, *FORMULAS, f"--checkpoint={folder / 'none'}", "--resume"))
    expect("none to go on from", refused.returncode == 2 and "no checkpoint" in refused.stderr, refused.stderr)


def usage():
    mutex = ROOT / "examples/mutex.smv"
    for arguments, message in (
            (["check", mutex, "--resume"], "--resume needs --checkpoint"),
            (["check", mutex, "--silence=0"], "'0' is not a positive number"),
            (["check", mutex, "--certificate=x"], "--certificate is for 'nestor check'"),
            (["check", "-"], "standard input"), (["info", mutex], "one command"),
            (["check", mutex, "--engine=dfs"], "--engine=dfs"), (["check", "missing.smv"], "missing.smv"),
            (["check", ROOT / "examples/recursion.rsm", "-f", "true", "--checkpoint=x"], "--checkpoint is for"),
            (["check", mutex, "-f", "AG ("], "<formula>:1:5")):
        refused = run(together(2, *arguments))
        expect(f"{arguments[1:]}: refused once", refused.returncode == 2 and refused.stderr.count(message) == 1,
               refused.returncode, refused.stderr)


def main():
    if shutil.which("mpirun") is None:
        print("mpirun is missing")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        usage()
        checkpoints(folder)
        witnesses(folder)
        ends(folder)
        compare(folder)
    print(f"{len(PROBLEMS)} problems")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
