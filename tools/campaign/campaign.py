#!/usr/bin/env python3
"""Checks Debian source packages: fetches each, builds it with `nestor cc`, lints its programs, and collects the warnings.

usage: campaign.py NESTOR FOLDER LIST [--time=SECONDS] [--memory=MB] [--jobs=N] [--again[=STATUS]] [--build-dep]
                   [--fetch=COMMAND] [--lint-option=OPTION]… [--keep]

LIST has a source package a line; `#` starts a comment. What was done lies in FOLDER/results/PACKAGE.json, so an
interrupted campaign goes on where it was: run it again. FOLDER/summary.html and summary.txt are written after each
package, FOLDER/reports/PACKAGE/PROGRAM.json is what `nestor lint --format=json` printed. A package that cannot be
fetched, built or checked is a row with the reason; docs/batch.md tells more.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import limits  # noqa: E402
import summary  # noqa: E402

# By whichever of these names a build calls its compiler, it is `nestor cc`.
C_NAMES = ["cc", "gcc", "c89", "c99"]
CXX_NAMES = ["c++", "g++"]
MOST_PROGRAMS = 40  # of one package
# What is written for GCC is not to fail for what only clang warns of, or takes for an error.
LENIENT = "-w " + " ".join(f"-Wno-error={what}" for what in (
    "implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-function-pointer-types", "return-type"))


class Trouble(Exception):
    """Why a package could not be checked: the status of its row, and the reason."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


def write_whole(path, text):
    """The file is there with all of the text, or as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", delete=False) as out:
        out.write(text)
    os.replace(out.name, path)


def make_compilers(folder, nestor):
    """A folder of compilers to put first into PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    machine = "x86_64-linux-gnu"
    found = shutil.which("dpkg-architecture")
    if found:
        machine = subprocess.run([found, "-qDEB_HOST_GNU_TYPE"], capture_output=True, text=True).stdout.strip() or machine
    for command, names in (("cc", C_NAMES), ("c++", CXX_NAMES)):
        for name in [*names, *(f"{machine}-{name}" for name in names)]:
            script = folder / name
            # What configure tries out needs no bitcode.
            plain = os.environ.get("NESTOR_CLANG" if command == "cc" else "NESTOR_CLANGXX",
                                   "clang-19" if command == "cc" else "clang++-19")
            script.write_text(f'#!/bin/sh\ncase " $* " in *" conftest"*) exec {shlex.quote(plain)} "$@" ;; esac\n'
                              f'exec {shlex.quote(nestor)} {command} "$@" {LENIENT}\n')
            script.chmod(0o755)
    return folder


def is_program(path):
    """An executable or a shared library, as the linker makes them."""
    try:
        with open(path, "rb") as file:
            head = file.read(18)
    except OSError:
        return False
    return head[:4] == b"\x7fELF" and head[16] in (2, 3)


def programs_below(folder):
    """Bitcode of what was linked, the largest first; not what configure tried out."""
    found = []
    for path in sorted(folder.rglob("*.bc")):
        linked = path.with_suffix("")
        if linked.name.startswith("conftest") or linked.name == "a.out" or not is_program(linked):
            continue
        found.append(path)
    return sorted(found, key=lambda path: (-path.stat().st_size, path))


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.nestor = str(pathlib.Path(arguments.nestor).resolve())
        self.folder = pathlib.Path(arguments.folder).resolve()
        self.version = subprocess.run([self.nestor, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        self.compilers = make_compilers(self.folder / "compilers", self.nestor)
        here = pathlib.Path(__file__).resolve().parent
        self.fetching = threading.Lock()
        self.fetch = arguments.fetch or str(here.parents[1] / "bench" / "programs" / "fetch.sh")

    def result_file(self, package):
        return self.folder / "results" / f"{package}.json"

    def known(self, package):
        """The row of an earlier run of the same version, if it is not to be made again."""
        try:
            row = json.loads(self.result_file(package).read_text())
        except (OSError, ValueError):
            return None
        again = self.arguments.again
        if row.get("nestor") != self.version or again == "all" or again == row.get("status"):
            return None
        return row

    def log(self, package):
        path = self.folder / "logs" / f"{package}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def run(self, package, status, command, cwd, seconds, output=None, accepted=(0,), environment=None):
        """Runs a command within the limits; what it prints goes to the log, or standard output to `output`."""
        with open(self.log(package), "ab") as log:
            log.write(f"\n$ {shlex.join(map(str, command))}\n".encode())
            log.flush()
            with open(output, "wb") if output else open(os.devnull, "wb") as out:
                ended = limits.run(command, cwd=cwd, stdout=out if output else log, stderr=log, seconds=seconds,
                                   megabytes=self.arguments.memory, environment=environment)
        if ended.timed_out:
            raise Trouble(f"{status} timed out", f"more than {seconds:.0f} s")
        if ended.status not in accepted:
            raise Trouble(f"{status} failed", limits.last_error(self.log(package)) or f"status {ended.status}")
        return ended

    def fetch_sources(self, package):
        sources = self.folder / "sources"
        sources.mkdir(parents=True, exist_ok=True)
        tree = sources / package
        with self.fetching:  # apt does one thing at a time
            self.run(package, "fetch", [*shlex.split(self.fetch), str(sources), package], self.folder, self.arguments.time)
            if not tree.is_dir():
                raise Trouble("fetch failed", "no sources came")
            if self.arguments.build_dep:
                self.install_needs(package, tree)
        return tree

    def install_needs(self, package, tree):
        self.run(package, "build-dep", ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=600", "--no-install-recommends", "--no-remove",
                                        "build-dep", str(tree)], tree, 10 * self.arguments.time,
                 environment={"DEBIAN_FRONTEND": "noninteractive"})

    def version_of(self, tree):
        try:
            head = (tree / "debian" / "changelog").read_text(errors="replace").split("\n", 1)[0]
            return head.split("(", 1)[1].split(")", 1)[0]
        except (OSError, IndexError):
            return ""

    def build(self, package, tree):
        work = self.folder / "work" / package
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(tree, work, symlinks=True)
        environment = {
            "PATH": f"{self.compilers}:{os.environ['PATH']}", "CC": "cc", "CXX": "c++",
            "DEB_BUILD_OPTIONS": "nocheck nodoc notest noautodbgsym parallel=1",
            "DEB_BUILD_MAINT_OPTIONS": "hardening=-all optimize=-lto", "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C.UTF-8",
        }
        rules = work / "debian" / "rules"
        if rules.exists():
            rules.chmod(0o755)
            # The second where a folder of that name makes the first do nothing.
            commands = [["debian/rules", "build"], ["debian/rules", "build-arch"]]
        elif (work / "configure").exists():
            commands = [["sh", "-c", "./configure && make"]]
        else:
            commands = [["make"]]
        trouble = None
        for command in commands:
            try:
                self.run(package, "build", command, work, self.arguments.time, environment=environment)
            except Trouble as found:
                trouble = found
            if trouble or programs_below(work):
                break
        found = programs_below(work)
        if not found:
            raise trouble or Trouble("no programs", "the build links nothing with bitcode")
        return work, found, trouble

    def lint(self, package, work, programs, row):
        """All programs within one limit of time; one that has no verdict does not end the others."""
        reports = self.folder / "reports" / package
        shutil.rmtree(reports, ignore_errors=True)
        reports.mkdir(parents=True)
        end = time.monotonic() + self.arguments.time
        for path in programs[:MOST_PROGRAMS]:
            name = str(path.relative_to(work).with_suffix("")).replace("/", "+")
            report = reports / f"{name}.json"
            part = {"program": name, "status": "ok", "warnings": {}}
            row["programs"].append(part)
            left = end - time.monotonic()
            try:
                if left <= 0:
                    raise Trouble("lint timed out", f"no time left of {self.arguments.time:.0f} s")
                command = [self.nestor, "lint", "--format=json", f"--source-root={work}", "--quiet",
                           *self.arguments.lint_option, str(path)]
                ended = self.run(package, "lint", command, work, left, output=report, accepted=(0, 1, 3))
                part["seconds"] = round(ended.seconds, 2)
                part["megabytes"] = ended.megabytes
                found = json.loads(report.read_text())
                for warning in found["warnings"]:
                    rules = part["warnings"]
                    rules[warning["rule"]] = rules.get(warning["rule"], 0) + 1
                if found["unknown"]:
                    part["status"] = "unknown"
                    part["reason"] = found["unknown"][0]
            except Trouble as trouble:
                report.unlink(missing_ok=True)
                part["status"] = trouble.status
                part["reason"] = str(trouble)
        if len(programs) > MOST_PROGRAMS:
            row["left_out"] = len(programs) - MOST_PROGRAMS
        bad = [part for part in row["programs"] if part["status"] not in ("ok", "unknown")]
        if bad:
            row["status"] = bad[0]["status"]
            row["reason"] = f"{bad[0]['program']}: {bad[0]['reason']}" + (f" (and {len(bad) - 1} more)" if len(bad) > 1 else "")

    def check(self, package):
        row = {"package": package, "nestor": self.version, "status": "ok", "programs": []}
        began = time.monotonic()
        self.log(package).unlink(missing_ok=True)
        marks = {}
        try:
            tree = self.fetch_sources(package)
            row["version"] = self.version_of(tree)
            marks["fetch"] = time.monotonic()
            work, programs, trouble = self.build(package, tree)
            marks["build"] = time.monotonic()
            self.lint(package, work, programs, row)
            marks["lint"] = time.monotonic()
            if trouble and row["status"] == "ok":  # tests of its own that fail, say
                row["status"] = f"{trouble.status} in part"
                row["reason"] = str(trouble)
        except Trouble as trouble:
            row["status"] = trouble.status
            row["reason"] = str(trouble)
        last = began
        row["seconds"] = {}
        for step, at in marks.items():
            row["seconds"][step] = round(at - last, 2)
            last = at
        row["seconds"]["all"] = round(time.monotonic() - began, 2)
        if not self.arguments.keep:
            shutil.rmtree(self.folder / "work" / package, ignore_errors=True)
        write_whole(self.result_file(package), json.dumps(row, indent=1) + "\n")
        return row

    def summarise(self, packages, rows):
        in_order = [rows[package] for package in packages if package in rows]
        write_whole(self.folder / "summary.txt", summary.text(self.version, in_order, len(packages)))
        write_whole(self.folder / "summary.html", summary.html(self.version, in_order, len(packages)))

    def all(self, packages):
        rows = {package: row for package in packages if (row := self.known(package))}
        todo = [package for package in packages if package not in rows]
        if rows:
            print(f"campaign: {len(rows)} of {len(packages)} packages are done already", flush=True)
        began = time.monotonic()
        self.summarise(packages, rows)
        # Threads only wait for processes here.
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            running = {pool.submit(self.check, package): package for package in todo}
            try:
                for done, future in enumerate(concurrent.futures.as_completed(running), 1):
                    row = future.result()
                    rows[row["package"]] = row
                    self.summarise(packages, rows)
                    left = (time.monotonic() - began) / done * (len(todo) - done)
                    print(f"[{len(rows)}/{len(packages)}] {summary.line(row)}; {summary.duration(left)} left", flush=True)
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                limits.end_all()
                print("campaign: interrupted; run it again, and it goes on from here", file=sys.stderr)
                os._exit(130)
        print(f"campaign: {self.folder / 'summary.html'}")
        return 0


def packages_of(path):
    names = []
    for number, line in enumerate(pathlib.Path(path).read_text().split("\n"), 1):
        name = line.split("#", 1)[0].strip()
        if not name:
            continue
        if not all(c.isalnum() and c.isascii() or c in "+-." for c in name) or not name[0].isalnum():
            sys.exit(f"{path}:{number}:1: error: '{name[:80]}' is no name of a source package")
        if name not in names:
            names.append(name)
    if not names:
        sys.exit(f"{path}: error: no packages")
    return names


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    # Also where a shell has started it in the background, which makes it deaf to interrupts.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nestor")
    parser.add_argument("folder")
    parser.add_argument("list")
    parser.add_argument("--time", type=float, default=180, help="seconds, for building and for linting each")
    parser.add_argument("--memory", type=int, default=4096, help="megabytes of one process")
    parser.add_argument("--jobs", type=int, default=1, help="packages at a time")
    parser.add_argument("--again", nargs="?", const="all", help="those of this status again; without one, all")
    parser.add_argument("--build-dep", action="store_true", help="install what the build needs (apt-get build-dep)")
    parser.add_argument("--fetch", help="a command that puts the sources of PACKAGE into FOLDER/PACKAGE")
    parser.add_argument("--lint-option", action="append", default=[])
    parser.add_argument("--keep", action="store_true", help="keep what was built")
    arguments = parser.parse_args()
    try:
        packages = packages_of(arguments.list)
    except OSError as error:
        sys.exit(f"{arguments.list}: error: {error.strerror}")
    return Campaign(arguments).all(packages)


if __name__ == "__main__":
    sys.exit(main())
