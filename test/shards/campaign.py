#!/usr/bin/env python3
"""A campaign over packages that are made up here: what is fine, what fails at each step, what takes too long or too much
memory, and going on after an interruption.

usage: campaign.py NESTOR SOURCE-ROOT
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

CLEAN = "int main(void) { return 0; }\n"
RULES = "#!/usr/bin/make -f\nbuild build-arch:\n\t{}\n"
PACKAGES = {  # how each is built, its source, the status that is expected
    "fine": ("$(CC) -o prog main.c", CLEAN, "ok"),
    "dead": ("$(CC) -o prog main.c", "int main(void) { int x = 1; x = 2; return 0; }\n", "ok"),
    "broken": ("$(CC) -o prog main.c", "int main(void) { return nonsense; }\n", "build failed"),
    "endless": ("sleep 1000", CLEAN, "build timed out"),
    "greedy": ("python3 -c 'x = bytes(3000 << 20)'", CLEAN, "build failed"),
    "nothing": ("true", CLEAN, "no programs"),
    "partly": ("$(CC) -o prog main.c; false", CLEAN, "build failed in part"),
    "strict": ("$(CC) -Wall -Wextra -Werror -o prog main.c", "int main(int unused) { return 0; }\n", "ok"),
    "hidden": ("$(CC) -o prog main.c", CLEAN, "ok"),  # has a folder named build
}
FETCH = """#!/bin/sh
[ "$2" != absent ] || { echo 'E: no such package' >&2; exit 1; }
[ "$2" != waiting ] || [ -e "$1/go" ] || { touch "$1/waits"; sleep 1000; }
[ "$2" != waiting ] || cp -r SOURCES/fine "$1/waiting"
[ "$2" = waiting ] || cp -r "SOURCES/$2" "$1"
"""


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    missing = features.missing_for_programs(nestor) or ("" if shutil.which("make") else "skipped: make is missing")
    if missing:
        print(missing)
        return features.SKIPPED
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for package, (build, source, _) in PACKAGES.items():
            (folder / "sources" / package / "debian").mkdir(parents=True)
            (folder / "sources" / package / "main.c").write_text(source)
            (folder / "sources" / package / "debian/rules").write_text(RULES.format(build))
            (folder / "sources" / package / "debian/changelog").write_text(f"{package} (1.0-2) stable; urgency=low\n")
        (folder / "sources/hidden/build").mkdir()
        fetch = folder / "fetch.sh"
        fetch.write_text(FETCH.replace("SOURCES", str(folder / "sources")))
        fetch.chmod(0o755)
        names = folder / "list"
        names.write_text("# made up\nfine\ndead\nwaiting\n")
        command = [sys.executable, "-B", root / "tools/campaign/campaign.py", nestor, folder / "out", names, f"--fetch={fetch}",
                   "--time=60", "--memory=2048", "--lint-option=--rule=dead-store"]
        # Interrupted while the third is fetched: the first two are done, and are not done again.
        first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while first.poll() is None and not (folder / "out/sources/waits").exists():
            time.sleep(0.05)
        first.send_signal(signal.SIGTERM)
        printed = first.communicate()[0]
        if first.returncode != 130 or "[2/3] dead: 1 program, 1 warning" not in printed:
            problems.append(f"interrupted: {first.returncode} {printed}")
        (folder / "out/sources/go").touch()
        before = os.stat(folder / "out/results/fine.json").st_mtime_ns
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0 or "2 of 3 packages are done already\n[3/3] waiting: 1 program, 0 warnings" not in done.stdout:
            problems.append(f"resumed: {done}")
        if os.stat(folder / "out/results/fine.json").st_mtime_ns != before:
            problems.append("what was done is done again")
        names.write_text("\n".join([*PACKAGES, "absent"]) + "\n")
        done = subprocess.run([*map(str, command), "--time=4"], capture_output=True, text=True, check=False)
        for package, (_, _, status) in [*PACKAGES.items(), ("absent", (0, 0, "fetch failed"))]:
            row = json.loads((folder / f"out/results/{package}.json").read_text())
            if row["status"] != status or (status != "ok" and not row["reason"]):
                problems.append(f"{package}: {row}")
        text, page = (folder / "out/summary.txt").read_text(), (folder / "out/summary.html").read_text()
        if "10 of 10 packages: 4 ok, 2 build failed, 1 build failed in part, 1 build timed out, 1 fetch failed, 1 no programs" not in text:
            problems.append(text)
        if "dead-store                              1        1" not in text or "dead                 dead-store 1" not in text:
            problems.append(text)
        if "nonsense" not in page or "1.0-2" not in page or page.count("<tr") != 1 + 1 + 1 + 10:
            problems.append(page)
        names.write_text("fine\n../etc\n")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 1 or f"{names}:2:1: error: '../etc' is no name of a source package" not in done.stderr:
            problems.append(f"a bad list: {done}")
    print("\n".join(problems) or "a campaign has a row for each package, and goes on where it was")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
