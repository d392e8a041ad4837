#!/usr/bin/env python3
"""The files around a release agree with each other: version, change log, action, hook, container, completions.

usage: files.py SOURCE-ROOT NESTOR
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def check_version(root, nestor):
    version = re.search(r"project\(nestor VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    printed = subprocess.run([nestor, "--version"], capture_output=True, text=True, check=True).stdout
    expect(printed == f"nestor {version}\n", f"--version prints {printed!r}, CMakeLists.txt has {version}")
    log = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## ([0-9.]+)", log, re.MULTILINE)[1]
    expect(newest == version, f"the newest version of CHANGELOG.md is {newest}, not {version}")


def check_shells(root):
    for shell, file in (("bash", "completions/nestor.bash"), ("zsh", "completions/_nestor"),
                        ("fish", "completions/nestor.fish")):
        if shutil.which(shell) is None:
            print(f"{shell} is missing: {file} is not read by it")
            continue
        done = subprocess.run([shell, "-n", root / file], capture_output=True, text=True, check=False)
        expect(done.returncode == 0 and not done.stderr, f"{file}: {done.stderr}")
    if shutil.which("fish"):
        done = subprocess.run(["fish", "-c", f"source {root}/completions/nestor.fish; complete -C 'nestor check --dead-'"],
                              capture_output=True, text=True, check=False)
        expect("--dead-ends" in done.stdout, f"fish completes {done.stdout!r} {done.stderr}")


def check_manual(root):
    if shutil.which("man") is None:
        print("man is missing: the page is not read by it")
        return
    done = subprocess.run(["man", "--warnings", "-l", root / "share/man/nestor.1"], capture_output=True, text=True,
                          check=False, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
    expect(done.returncode == 0 and not done.stderr, f"share/man/nestor.1: {done.stderr[:300]}")
    expect("--json-lines" in done.stdout, "share/man/nestor.1 does not have --json-lines")


def check_lint_step(root, script, environment):
    """What GitHub would upload is there, and so is the status that later steps ask for."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        done = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=False, cwd=root,
                              env={**environment, "NESTOR_COMMAND": "lint", "NESTOR_SARIF": str(scratch / "nestor.sarif"),
                                   "NESTOR_ARGUMENTS": "--quiet test/llvm/smallest.ll",
                                   "GITHUB_OUTPUT": str(scratch / "output")})
        if "without LLVM" in done.stderr:
            print("built without LLVM: the action does not lint")
            return
        expect(done.returncode == 0, f"action.yml's step lints: {done}")
        expect((scratch / "output").read_text(encoding="utf-8") == "status=0\n", "action.yml's step gives no status")
        report = json.loads((scratch / "nestor.sarif").read_text(encoding="utf-8"))
        expect(report["version"] == "2.1.0" and report["runs"][0]["results"] == [], f"the report of the action: {report}")


def check_yaml(root, nestor):
    try:
        import yaml
    except ImportError:
        print("python3-yaml is missing: action.yml and the hooks are not read")
        return
    action = yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    expect(action["runs"]["using"] == "composite", "action.yml is no composite action")
    script = next(step["run"] for step in steps if step.get("id") == "run")
    done = subprocess.run(["bash", "-n", "-c", script], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"action.yml: {done.stderr}")
    # The step itself, as GitHub would run it.
    environment = {"PATH": f"{pathlib.Path(nestor).parent}:/usr/bin:/bin", "NESTOR_COMMAND": "check", "NESTOR_SARIF": "",
                   "NESTOR_ARGUMENTS": "examples/dataflow.rsm -f 'AF end'", "GITHUB_OUTPUT": "/dev/null"}
    done = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=False, cwd=root,
                          env=environment)
    expect(done.returncode == 0 and done.stdout == "holds   AF end\n", f"action.yml's step: {done}")
    done = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=False, cwd=root,
                          env={**environment, "NESTOR_COMMAND": "generate"})
    expect(done.returncode == 2 and "expected lint or check" in done.stderr, f"action.yml's step for another command: {done}")
    check_lint_step(root, script, environment)
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    expect({hook["id"] for hook in hooks} == {"nestor-check"}, "hooks")
    entry = hooks[0]["entry"].split()
    done = subprocess.run(["bash", root / entry[0], "examples/dataflow.rsm"], capture_output=True, text=True, check=False,
                          cwd=root, env=environment)
    expect(done.returncode == 1 and "fails   used_later" in done.stdout, f"the hook: {done}")
    done = subprocess.run(["bash", root / entry[0], "examples/mutex.smv"], capture_output=True, text=True, check=False,
                          cwd=root, env=environment)
    expect(done.returncode in (0, 1) and done.stdout, f"the hook on a model with properties: {done}")


def check_container(root, nestor):
    """The image has every library that the program is linked to."""
    text = (root / "Containerfile").read_text(encoding="utf-8")
    expect("FROM debian:12" in text, "Containerfile is not based on Debian 12")
    if shutil.which("dpkg") is None or shutil.which("objdump") is None:
        print("dpkg or objdump is missing: the libraries of Containerfile are not compared")
        return
    listing = subprocess.run(["objdump", "-p", nestor], capture_output=True, text=True, check=True).stdout
    for library in re.findall(r"NEEDED\s+(\S+)", listing):
        owner = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False).stdout
        packages = {line.partition(":")[0] for line in owner.splitlines()} - {"libc6-i386", "libc6-x32"}
        expect(not packages or packages & ({"libc6", "libgcc-s1", "libstdc++6"} | set(text.split())),
               f"Containerfile installs none of {packages}, which has {library}")


def main():
    root, nestor = pathlib.Path(sys.argv[1]), sys.argv[2]
    check_version(root, nestor)
    check_shells(root)
    check_manual(root)
    check_yaml(root, nestor)
    check_container(root, nestor)
    print("\n".join(problems) or "version, change log, completions, manual, action and hook agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
