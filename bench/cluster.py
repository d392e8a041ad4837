#!/usr/bin/env python3
"""What exploring and labelling cost on several processes, beside one.

usage: cluster.py NESTOR NESTOR-MPI SCRATCH-FOLDER [--workers=7] [--positions=10] [--processes=2,4] [--repeat=3]

The net: workers that go round, each on its own, so that there are positions to the power of workers markings; by default
10^7 of them with 7*10^7 transitions. Of several runs the best counts: others may use the machine. Seconds of the
processor are those of one process: of all together, divided by their number.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import time

FORMULAS = ["AG EF (tokens(p0_0) > 0 & tokens(p1_0) > 0)", "EG tokens(p0_1) < 1",
            "A [tokens(p1_1) < 1 U tokens(p0_1) > 0]", "EF (tokens(p0_1) > 0 & tokens(p1_1) > 0 & tokens(p2_1) > 0)"]


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


def measure(command, processes):
    """Verdicts, statistics, seconds that passed, seconds of the processor a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True,
                          env=dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(done.stdout)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [r["verdict"] for r in report["results"]], report["stats"], seconds, used / processes


def main():
    options = dict(a.removeprefix("--").split("=") for a in sys.argv[4:])
    nestor, nestor_mpi, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    net = ring(folder / "ring.pnml", int(options.get("workers", 7)), int(options.get("positions", 10)))
    question = [str(net), "--json"] + [part for f in FORMULAS for part in ("-f", f)]
    print("| processes | seconds | of one | processor, s | of one | largest process, MB | of one | largest over mean | "
          "messages a transition | bytes a transition |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    first = None
    for processes in [1] + [int(p) for p in options.get("processes", "2,4").split(",")]:
        best = None
        for _ in range(int(options.get("repeat", 3))):
            command = [nestor, "check", "--engine=labelling", *question] if processes == 1 else \
                ["mpirun", "-q", "--oversubscribe", "-n", str(processes), nestor_mpi, "check", *question]
            verdicts, stats, seconds, used = measure(command, processes)
            peak = stats.get("cluster.peak_bytes_largest", stats["memory.peak_bytes"])
            found = [seconds, used, peak, stats]
            best = found if best is None else [min(best[0], seconds), min(best[1], used), min(best[2], peak), stats]
            if first and first[1] != verdicts:
                sys.exit(f"{processes} processes say {verdicts}, one says {first[1]}")
        if first is None:
            first = (best, verdicts)
        seconds, used, peak, stats = best
        one = first[0]
        print(f"| {processes} | {seconds:.1f} | {seconds / one[0]:.2f} | {used:.1f} | {used / one[1]:.2f} | "
              f"{peak / 1e6:.0f} | {peak / one[2]:.3f} | {stats.get('cluster.states_largest_over_mean', 1):.4f} | "
              f"{stats.get('cluster.messages_per_transition', 0):.5f} | "
              f"{stats.get('cluster.bytes_per_transition', 0):.1f} |", flush=True)
    print(f"\n{stats['explore.states']} states, {stats['explore.transitions']} transitions")


if __name__ == "__main__":
    main()
