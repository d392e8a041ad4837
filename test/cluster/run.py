#!/usr/bin/env python3
"""nestor-mpi against one process: the same output, witnesses, limits, ends before their time, checkpoints.

usage: run.py NESTOR NESTOR-MPI SOURCE-ROOT [--all[=NAME…]]

With --all every net, SMV model and Java program of ../shared/models is compared with 2, 4 and 8 processes, and every
witness replayed, which takes an hour or two; or those of nets, contest, smv and java that are named, with commas. Without
it a few are. Skipped where mpirun is missing.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

NESTOR, NESTOR_MPI, ROOT = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
ALL = next((a.partition("=")[2].split(",") if "=" in a else ["nets", "contest", "smv", "java"]
            for a in sys.argv if a.startswith("--all")), [])
MODELS = ROOT.parent / "shared/models"
LIMIT = ["--max-states=100000"]
PROBLEMS = []
COMPARED = []
# Which dead end is the first depends on the order in which states are found.
FIRST = re.compile(r"first: .*; see --dead-ends")
# In a net without bound, so do the markings that show it, and whether another limit is met before.
UNBOUNDED = re.compile(r"\((?:unbounded: .* strictly covers it|more than \d+ states)\)$", re.MULTILINE)


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
    alone = [str(NESTOR), "check", *map(str, arguments)]
    one = run([*alone, *(["--engine=labelling"] if engine else [])])
    if "'labelling' decides CTL only" in one.stdout:  # the formulas beyond CTL as one process decides them by default
        other = run(alone)
        lines = [b if "'labelling' decides CTL only" in a else a
                 for a, b in zip(one.stdout.split("\n"), other.stdout.split("\n"), strict=True)]
        status = 1 if any(x.startswith("fails") for x in lines) else 3 if any(x.startswith("unknown") for x in lines) else 0
        one = subprocess.CompletedProcess(alone, status, "\n".join(lines), other.stderr)
    many = run(together(processes, "check", *arguments))
    what = f"{processes} processes: {' '.join(map(str, arguments))}"
    COMPARED.append(what)
    same = (lambda text: text)
    if "(unbounded: " in one.stdout + many.stdout:
        same = (lambda text: UNBOUNDED.sub("(unbounded)", text))
    expect(what, same(one.stdout) == same(many.stdout), one.stdout[:2000], many.stdout[:2000], many.stderr[:2000])
    expect(what + ", status", one.returncode == many.returncode, one.returncode, many.returncode)
    mask = (lambda text: FIRST.sub("first", text))
    expect(what + ", warnings", mask(one.stderr) == mask(many.stderr), one.stderr[:2000], many.stderr[:2000])


def counts_of_one(processes, *arguments):
    """As many states and transitions."""
    def counts(done):
        return re.findall(r"explore\.(states|transitions) +(\d+)", done.stderr)

    alone = run([str(NESTOR), "check", *map(str, arguments), "--engine=labelling", "--stats"])
    if "(more than" in alone.stdout or "(unbounded: " in alone.stdout:  # what is found before a limit strikes depends on the order
        return
    one = counts(alone)
    many = counts(run(together(processes, "check", *arguments, "--stats")))
    expect(f"{processes} processes count {arguments[0]}", one == many or not many, one, many)  # none for LTL alone


def unpacked(folder, archive):
    if not archive.exists():
        return folder / "none"
    to = folder / archive.name.partition(".")[0]
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(to)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(to, filter="data")
    return to


def compare(folder):
    examples = ROOT / "examples"
    same_as_one(2, examples / "philosophers.net", examples / "philosophers.ctl")
    counts_of_one(3, examples / "philosophers.net", examples / "philosophers.ctl")
    same_as_one(4, examples / "mutex.smv")
    same_as_one(2, ROOT / "test/regress/smv/inputs_in_ltl.smv")
    same_as_one(3, examples / "recursion.rsm", examples / "recursion.ctl", engine=False)
    same_as_one(2, examples / "dataflow.rsm", examples / "dataflow.ctl", "--witness", engine=False)
    nets = sorted(unpacked(folder, MODELS / "mcc/nets.tar.xz").rglob("model.pnml"))
    models = [(model, formulas) for model in nets for formulas in sorted(model.parent.glob("CTL*.xml"))]
    for i, (model, formulas) in enumerate(models[::7]):
        same_as_one(2 + i % 3, model, formulas, *LIMIT)
    for i, model in enumerate(sorted((MODELS / "smv").glob("*.smv"))[::3]):
        same_as_one(2 + i % 3, model, *LIMIT)


def compare_all(folder):
    nets = sorted(unpacked(folder, MODELS / "mcc/nets.tar.xz").rglob("model.pnml"))
    contest = sorted(unpacked(folder, MODELS / "mcc/contest.tar.xz").rglob("model.pnml"))
    smv = [*(MODELS / "smv").glob("*.smv"), *unpacked(folder, MODELS / "smv-more.tar.xz").rglob("*.smv")]
    programs = [model for archive in sorted((MODELS / "java").glob("*.zip"))
                for model in unpacked(folder, archive).glob("*.rsm")]
    for name, models, more in (("nets", nets, LIMIT), ("contest", contest, ["--max-states=20000"]), ("smv", sorted(smv), LIMIT)):
        for model in models if name in ALL else []:
            formulas = sorted(model.parent.glob("CTL*.xml")) if model.suffix == ".pnml" else []
            if "timeout after" in run([str(NESTOR), "check", "--engine=labelling", "--timeout=60",
                                       *map(str, [model, *formulas, *more])]).stdout:
                print(f"not compared, one process takes over a minute: {model.parent.name}/{model.name}", flush=True)
                continue
            for processes in (2, 4, 8):
                same_as_one(processes, model, *formulas, *more)
            counts_of_one(4, model, *formulas, *more)
            if name != "contest":
                replayed(folder, 3, model, *formulas, *more)
            print(f"{len(COMPARED)} compared, {len(PROBLEMS)} problems: {model.parent.name}/{model.name}", flush=True)
    for model in programs if "java" in ALL else []:
        for processes in (2, 4, 8):
            same_as_one(processes, model, model.with_name(f"{model.stem}_usedef.ctl"), engine=False)
        print(f"{len(COMPARED)} compared, {len(PROBLEMS)} problems: {model.name}", flush=True)


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


def replayed(folder, processes, *arguments):
    """Each verdict has a witness that `nestor replay` accepts about the whole model, unless the reason is told."""
    file = folder / "witness.json"
    file.unlink(missing_ok=True)
    done = run(together(processes, "check", *arguments, f"--witness={file}"))
    results = json.loads(file.read_text(encoding="utf-8"))["results"]
    for number, result in enumerate(results, 1):
        if "witness" not in result:
            expect(f"{arguments[0]}: no witness for formula {number}, or a reason", result["verdict"] == "unknown" or
                   f"no witness for formula {number}:" in done.stderr, result, done.stderr)
            continue
        one = folder / "one.json"
        one.write_text(json.dumps(result["witness"]), encoding="utf-8")
        again = run([str(NESTOR), "replay", str(arguments[0]), result["witness"]["formula"], str(one)])
        expect(f"{arguments[0]}: witness {number} is accepted", again.returncode == 0 or
               "no engine but the one that made the witness" in again.stdout, again.stdout, again.stderr)
    return results


def witnesses(folder):
    examples = ROOT / "examples"
    for model, more in ((examples / "philosophers.net", [examples / "philosophers.ctl"]), (examples / "mutex.smv", [])):
        results = replayed(folder, 3, model, *more)
        expect(f"{model.name}: each verdict has a witness", all("witness" in r for r in results))


FORMULAS = ["-f", "AG EF tokens(p0_0) > 0", "-f", "EG tokens(p0_4) < 1"]


def pids_of(model):
    found = subprocess.run(["pgrep", "-f", f"^{NESTOR_MPI} check {model}"], capture_output=True, text=True, check=False)
    return sorted(int(pid) for pid in found.stdout.split())


def rank_of(pid):
    text = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    return int(re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", text)[1])


def keeps_last_words(pid):
    """It catches SIGTERM: the model is read, and nothing is known yet."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (signal.SIGTERM - 1) & 1 == 1


def end_of(what, command, model, is_time, do, ranks, reason, status):
    """Does something to the process of a rank when it is time: the run ends, and every verdict is unknown."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        while process.poll() is None and (len(pids_of(model)) < ranks or not is_time()):
            time.sleep(0.05)
        pids = {rank_of(pid): pid for pid in pids_of(model)} if process.poll() is None else {}
        if pids:
            do(pids)
        out, err = process.communicate(timeout=600)
        for pid in pids.values():  # who was stopped
            if pid in pids_of(model):
                os.kill(pid, signal.SIGKILL)
    expect(f"{what}: it had not ended before", bool(pids), out, err)
    expect(f"{what}: every verdict is unknown", "unknown" in out and out.count("unknown") == len(out.strip().split("\n")) and
           reason in out, out, err)
    expect(f"{what}: status", process.returncode == status if status else process.returncode not in (0, 1), process.returncode)


def ends(folder):
    """A process that is killed, stops answering or gets no memory ends the run, and nothing is known."""
    large = ring(folder / "ring.pnml", 8, 9)  # larger than anybody waits for
    small = ring(folder / "labelled.pnml", 6, 7)
    nest = "tokens(p0_0) > 0"
    for _ in range(40):  # of a text that is longer than 2 KiB mpirun may pass on a part only
        nest = f"EG (tokens(p1_1) < 1 | A [{nest} U tokens(p2_2) > 0])"
    place, last = folder / "begun", 2

    def has_begun():
        return (place / "manifest").exists()

    def sends(number, rank=last):
        return lambda pids: os.kill(pids[rank], number)

    def takes_memory(pids):
        size = int(re.search(r"VmSize:\s*(\d+)", pathlib.Path(f"/proc/{pids[last]}/status").read_text(encoding="ascii"))[1])
        resource.prlimit(pids[last], resource.RLIMIT_AS, ((size << 10) + (1 << 20),) * 2)

    exploring = [large, *FORMULAS, f"--checkpoint={place}", "--checkpoint-every=0.01"]
    labelling = [small, "-f", nest, f"--checkpoint={place}"]  # which is written when all is explored
    gone = "a process of the run has ended or does not answer"
    for what, question, do, more, reason, status in (
            ("killed while exploring", exploring, sends(signal.SIGKILL), [], gone, None),
            ("stopped while exploring", exploring, sends(signal.SIGSTOP), ["--silence=1"], gone, 3),
            ("the first one killed", exploring, sends(signal.SIGKILL, 0), [], gone, None),
            ("no memory", exploring, takes_memory, [], "out of memory", 3),
            ("killed while labelling", labelling, sends(signal.SIGKILL), [], gone, None),
            ("stopped while labelling", labelling, sends(signal.SIGSTOP), ["--silence=1"], gone, 3)):
        shutil.rmtree(place, ignore_errors=True)
        end_of(what, together(3, "check", *question, *more), question[0], has_begun, do, 3, reason, status)
    # Formulas that are shared out, each process at its own. Who computes notices that another one is gone when it waits
    # for it, after its own share; that another one has died, mpirun tells at once.
    model, several = folder / "program.rsm", folder / "several.ctl"
    run([str(NESTOR), "generate", "program", "--nodes=100000", "--seed=1", "-o", str(model)])
    for what, do, more, status, count in (("killed at its formulas", sends(signal.SIGKILL), [], None, 192),
                                          ("stopped at its formulas", sends(signal.SIGSTOP), ["--silence=1"], 3, 12)):
        several.write_text("".join(f"AG EF ({'EX ' * i} EX true)\n" for i in range(count)), encoding="utf-8")
        end_of(what, together(3, "check", model, several, "--engine=reference", *more), model,
               lambda: all(keeps_last_words(pid) for pid in pids_of(model)), do, 3, gone, status)


def limits(folder):
    """One that is reached by all together, or by one: unknown, and the reason."""
    model = ring(folder / "limited.pnml", 8, 9)
    for option, reason in (("--max-states=5000", "more than 5000 states"), ("--steps=50000", "more than 50000 steps"),
                           ("--timeout=0.2", "timeout after 0.2 s"), ("--memory=1", "memory over 1 MB")):
        done = run(together(4, "check", model, *FORMULAS, option))
        expect(f"{option}: unknown", done.returncode == 3 and done.stdout.count("unknown") == 2 and done.stdout.count(reason) == 2,
               done.returncode, done.stdout, done.stderr)


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
        if ALL:
            compare_all(folder)
        else:
            usage()
            checkpoints(folder)
            witnesses(folder)
            limits(folder)
            ends(folder)
            compare(folder)
    print(f"{len(COMPARED)} compared, {len(PROBLEMS)} problems")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
