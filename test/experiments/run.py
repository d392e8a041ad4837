#!/usr/bin/env python3
"""A small run of the experiments, interrupted and resumed.

usage: run.py NESTOR SOURCE_FOLDER
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

ENGINES = ["lazy", "summary-whole"]
SIZES = [25, 50]


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return {(row["case"], row["engine"]): row for row in csv.DictReader(file)}


def run(nestor, source, folder, *options):
    command = [sys.executable, source / "bench/experiments/run.py", f"--nestor={nestor}", f"--out={folder}", "--timeout=600",
               f"--grid-step={SIZES[0]}", "--pushdown-step=250", f"--engines={','.join(ENGINES)}", *options, "grid", "pushdown"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def main():
    nestor, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = run(nestor, source, folder)
        table = folder / "grid.csv"
        rows = rows_of(table)
        assert set(rows) == {(f"{i},{j}", engine) for i in SIZES for j in SIZES for engine in ENGINES}, rows
        assert {row["verdict"] for row in rows.values()} <= {"holds", "fails"}, rows
        for case in {case for case, _ in rows}:
            assert len({rows[case, engine]["verdict"] for engine in ENGINES}) == 1, case
        assert len(rows_of(folder / "pushdown.csv")) == 2 * len(ENGINES)
        assert "`lazy` | 4 |" in first.stdout and "8/8, 0:00 left" in first.stderr, (first.stdout, first.stderr)

        # Interrupted in the middle of the fourth row: three are finished. A mark shows that they are not done again.
        lines = table.read_text(encoding="utf-8").splitlines()
        fields = lines[1].split(",")
        fields[-1] = "4711"  # nodes
        table.write_text("\n".join([lines[0], ",".join(fields), lines[2], lines[3], lines[4].rsplit(",", 2)[0]]), encoding="utf-8")
        run(nestor, source, folder, "--resume")
        again = rows_of(table)
        assert set(again) == set(rows) and all(row["nodes"] for row in again.values()), again
        marked = [key for key, row in again.items() if row["nodes"] == "4711"]
        assert len(marked) == 1, again
        kept = [key for key, row in again.items() if row["wall_seconds"] == rows[key]["wall_seconds"]]
        assert len(kept) >= 3, again

        run(nestor, source, folder)  # from the beginning: nothing is kept
        assert all(row["nodes"] != "4711" for row in rows_of(table).values())
    print("2 runs from the beginning and one resumed, as expected")


if __name__ == "__main__":
    main()
