#!/usr/bin/env python3
"""Evidence for verdicts: what witnesses and certificates together cost beside the check alone.

usage: evidence.py NESTOR SCRATCH-FOLDER [MODEL.rsm …]

Processor times of whole commands, one thread, medians; the commands take turns. On each given model the
first formulas of MODEL_usedef.ctl, and dining philosophers with a million markings.
"""

import pathlib
import shutil
import statistics
import sys

import figures
import finite
from certificates import processor_seconds

RUNS = 5
FORMULAS = 40
PHILOSOPHERS = 16


def row(nestor, name, model, formulas, proofs):
    check = [nestor, "check", model, *formulas, "--jobs=1"]
    prove = [*check, f"--witness={proofs / 'witness.json'}", "--json", f"--certificate-dir={proofs}"]
    times = [[], []]
    for _ in range(RUNS):
        for command, of_command in zip((check, prove), times):
            of_command.append(processor_seconds(command))
    alone, proved = (statistics.median(of_command) for of_command in times)
    written = len(list(proofs.glob("*.cert")))
    return [name, written, f"{alone:.2f} s", f"{proved:.2f} s", f"{proved / alone:.2f}"]


def main():
    nestor, scratch, models = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    proofs = scratch / "proofs"
    rows = []

    def add(name, model, formulas):
        proofs.mkdir(parents=True)
        rows.append(row(nestor, name, model, formulas, proofs))
        shutil.rmtree(proofs)

    for model in map(pathlib.Path, models):
        lines = model.with_name(f"{model.stem}_usedef.ctl").read_text(encoding="utf-8").splitlines()
        some = scratch / "some.ctl"
        some.write_text("\n".join([line for line in lines if line.strip() and line[0] != "#"][:FORMULAS]) + "\n", encoding="utf-8")
        add(model.stem, model, [some])
    example = pathlib.Path(__file__).resolve().parent.parent / "examples" / "philosophers.net"
    asked = [f"--formula={finite.FORMULAS[name]}" for name in ("exclusion", "must_eat")]
    add(f"{PHILOSOPHERS} philosophers", finite.net_of(example, scratch, PHILOSOPHERS), asked)
    figures.store("evidence", ["model", "formulas", "`check`", "with `--witness --certificate-dir`", "ratio"], rows)
    figures.rewrite()


if __name__ == "__main__":
    main()
