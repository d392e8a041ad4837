#!/usr/bin/env python3
"""What exploring and labelling cost on several processes, beside one, and what that predicts for many machines.

usage: cluster.py NESTOR NESTOR-MPI SCRATCH-FOLDER [--workers=7] [--positions=10] [--processes=2,4] [--repeat=3] [--store]

The net: workers that go round, each on its own, so that there are positions to the power of workers markings; by default
10^7 of them with 7*10^7 transitions. The runs take turns, so that what else the machine does falls on all of them, and of
each figure the best counts. Processor time is that of all processes together, with mpirun. With --store the tables go
to bench/results, and bench/figures.py writes them into docs/cluster.md.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import textwrap
import time

import figures

FORMULAS = ["AG EF (tokens(p0_0) > 0 & tokens(p1_0) > 0)", "EG tokens(p0_1) < 1",
            "A [tokens(p1_1) < 1 U tokens(p0_1) > 0]", "EF (tokens(p0_1) > 0 & tokens(p1_1) > 0 & tokens(p2_1) > 0)"]
# The prediction.
STATES, MACHINES, CORES, NETWORK = 1e10, 100, 16, 10e9 / 8


def ring(path, workers, positions):
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


class Run:
    """One run: what it said, its statistics, seconds that passed, and processor time of all its processes."""

    def __init__(self, report, seconds, used):
        self.report, self.seconds, self.used = report, seconds, used
        self.verdicts = [r["verdict"] for r in report["results"]]
        self.stats = report["stats"]
        self.processor = self.stats.get("cluster.processor_seconds", used)
        self.transitions = self.stats["explore.transitions"]

    @staticmethod
    def of(command):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env=dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
        seconds = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
        return Run(json.loads(done.stdout), seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    def stat(self, name, otherwise=0.0):
        return self.stats.get(f"cluster.{name}", otherwise)

    def peak(self):
        return self.stat("peak_bytes_largest", self.stats["memory.peak_bytes"])

    def working(self):
        """Processor time without that of looking for work while there is none."""
        return self.stat("processor_seconds", self.processor) - self.stat("processor_seconds_waiting")

    def imbalance(self, processes):
        return self.stat("working_seconds_largest") * processes / self.working() if processes > 1 else 1.0


def best(runs, of):
    return min(of(run) for run in runs)


def rows_of(runs):
    one = runs[1]
    rows = []
    for processes, of in runs.items():
        share = [f"{best(of, lambda r: r.processor) / processes / best(one, lambda r: r.processor):.2f}",
                 f"{best(of, lambda r: r.working()) / processes / best(one, lambda r: r.processor):.2f}"]
        rows.append([str(processes), f"{best(of, lambda r: r.seconds):.1f} s",
                     f"{best(of, lambda r: r.seconds) / best(one, lambda r: r.seconds):.2f}",
                     f"{best(of, lambda r: r.processor):.1f} s", *share,
                     f"{best(of, lambda r: r.imbalance(processes)):.2f}",  # pylint: disable=cell-var-from-loop
                     f"{best(of, Run.peak) / 1e6:.0f} MB", f"{best(of, Run.peak) / best(one, Run.peak):.3f}",
                     f"{of[0].stat('states_largest_over_mean', 1.0):.4f}",
                     f"{of[0].stat('messages_per_transition'):.5f}", f"{of[0].stat('bytes_per_transition'):.1f}"])
    return rows


def prediction(runs, exploring, processes):
    """By the cost model of docs/cluster.md, from the run with most processes; `exploring` is one that labels nothing."""
    of = runs[processes]
    states, transitions = of[0].stats["explore.states"], of[0].transitions
    degree = transitions / states
    remote = 1 - 1 / processes
    work = best(of, Run.working) / transitions
    sent = of[0].stat("bytes_per_transition") / remote
    sent_exploring = exploring.stat("bytes_per_transition") / remote
    memory = best(of, Run.peak) * processes / states
    own = STATES * degree / MACHINES  # transitions
    computing = own * work / CORES
    network = own * sent * (1 - 1 / MACHINES) / NETWORK
    return (f"Measured with {processes} processes: {work * 1e6:.2f} µs of work a transition, {sent_exploring:.1f} bytes sent by exploring "
            f"and {sent - sent_exploring:.1f} by labelling for a transition to another process, {memory:.0f} bytes a state with its "
            f"{degree:.0f} transitions at the peak. For 10¹⁰ states of {degree:.0f} transitions on {MACHINES} machines with "
            f"{CORES} cores and 10 Gbit/s each, that makes {STATES * memory / MACHINES / 1e9:.1f} GB a machine, "
            f"{computing:.0f} s of computing, and {own * sent * (1 - 1 / MACHINES) / 1e9:.1f} GB sent by each in {network:.0f} s: "
            f"{max(computing, network):.0f} s if sending and computing go on at the same time, "
            f"{computing + network:.0f} s if not, and {own * work * MACHINES / 3600:.1f} hours on one core that had the memory "
            f"({STATES * memory / 1e12:.1f} TB).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nestor")
    parser.add_argument("nestor_mpi")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=7)
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    net = ring(options.folder / "ring.pnml", options.workers, options.positions)
    question = [str(net), "--json", *(part for f in FORMULAS for part in ("-f", f))]

    def together(processes, *arguments):
        return ["mpirun", "-q", "--oversubscribe", "-n", str(processes), options.nestor_mpi, "check", *arguments]

    commands = {1: [options.nestor, "check", "--engine=labelling", *question]}
    for processes in map(int, options.processes.split(",")):
        commands[processes] = together(processes, *question)
    most = max(commands)
    commands[0] = together(most, str(net), "--json", "-f", "true")  # explores, and labels nothing
    kept = options.folder / "runs.json"
    runs = {processes: [] for processes in commands}
    for processes, of in (json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}).items():
        runs[int(processes)] = [Run(*run) for run in of]
    for turn in range(options.repeat):
        for processes, command in commands.items():
            if processes == 0 and runs[0]:
                continue
            run = Run.of(command)
            runs[processes].append(run)
            kept.write_text(json.dumps({n: [[r.report, r.seconds, r.used] for r in of] for n, of in runs.items()}), encoding="utf-8")
            if processes == 0:
                continue
            if run.verdicts != runs[1][0].verdicts or run.transitions != runs[1][0].transitions:
                sys.exit(f"{processes} processes say {run.verdicts}, one says {runs[1][0].verdicts}")
            print(f"turn {turn + 1}, {processes} processes: {run.seconds:.1f} s, processor {run.processor:.1f} s, working "
                  f"{run.working():.1f} s, waiting {run.stat('waiting_seconds'):.1f} s, exploring "
                  f"{run.stats['explore.seconds']:.1f} s, peak {run.peak() / 1e6:.0f} MB", flush=True)
    exploring = runs.pop(0)[0]
    header = ["processes", "seconds", "of one (goal: 0.75)", "processor time", "a process, of one", "without waiting",
              "working longest, over mean", "largest process", "of one (goal: 0.35)", "most states, over mean (goal: 1.1)",
              "messages a transition", "bytes a transition"]
    text = prediction(runs, exploring, most)
    if options.store:
        figures.store("cluster", header, rows_of(runs))
        figures.store_text("cluster_prediction", textwrap.fill(text, 100))
        figures.rewrite()
    else:
        print("\n".join(" | ".join(row) for row in [header, *rows_of(runs)]) + f"\n\n{text}")


if __name__ == "__main__":
    main()
