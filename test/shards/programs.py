#!/usr/bin/env python3
"""Lints C programs in shards: the merged reports are byte for byte those of one run, and every share is someone's.

usage: programs.py NESTOR SOURCE-ROOT

The programs are the examples of the rules and test/llvm/programs, several in one, so that functions call each other
and rules have several roots.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run as shards  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

# What is made in functions that others call, over several levels and by two ways: they must be looked at together.
LAYERS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char *name; };
static void *checked(size_t size) { void *p = malloc(size); if (!p) exit(1); return p; }
static char *copied(const char *text) { char *p = checked(strlen(text) + 1); strcpy(p, text); return p; }
static struct node *node(const char *name) { struct node *n = checked(sizeof *n); n->name = copied(name); n->next = 0; return n; }
int leaks(const char *a) { char *p = copied(a); return p[0] == 'x'; }
int keeps(const char *a) { struct node *n = node(a); int r = n->name[0]; free(n); return r; }
int twice(const char *a) { char *p = copied(a); free(p); if (a[0]) free(p); return 0; }
FILE *opened(const char *a) { FILE *f = fopen(a, "r"); return f; }
int reads(const char *a) { FILE *f = opened(a); int c = fgetc(f); return c; }
int unused(int n) { int dead = n; dead = 2 * n; return n; }
int blank(int n) { int x; if (n > 3) x = 1; return x; }
int null(int n) { int *p = 0; if (n) p = &n; return *p; }
int main(int argc, char **argv) {
  return leaks(argv[0]) + keeps(argv[0]) + twice(argv[0]) + reads(argv[0]) + unused(argc) + blank(argc) + null(argc);
}
"""


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "layers.c").write_text(LAYERS)
        programs = []
        sources = [folder / "layers.c", *sorted((root / "test/llvm/programs").glob("*.c"))[:12]]
        for source in sources:
            done = subprocess.run([nestor, "cc", "-w", "-pthread", "-o", folder / source.stem, source, "-lm"], capture_output=True, check=False)
            if done.returncode == 0:
                programs.append(folder / f"{source.stem}.bc")
        runner = shards.Runner(nestor, root, folder)
        if folder / "layers.bc" not in programs or len(programs) < 3:
            runner.problems.append(f"only {programs} were built")
        for i, program in enumerate(programs):
            for count in (2, 5):
                runner.compare(["lint", program, "--all-rules", f"--format={['json', 'sarif', 'junit', 'text'][i % 4]}"], count)
        command = ["lint", folder / "layers.bc", "--all-rules", "--format=json"]
        files = runner.compare(command, 4)
        found = json.loads(runner.run(*command).stdout)["warnings"]
        kinds = {warning["rule"] for warning in found}
        if not {"memory-leak", "member-leak", "stream-leak", "dead-store"} <= kinds and len(kinds) < 5:
            runner.problems.append(f"the program shows only {kinds}")
        busy = [file for file in files if json.loads(file.read_text())["content"]["warnings"]]
        if len(busy) < 2:
            runner.problems.append(f"one shard found everything: {busy}")
        # A rule file, a baseline of half of the warnings, and costs that were measured: parts carry them.
        baseline, costs = folder / "baseline", folder / "costs"
        runner.run(*command, f"--write-baseline={baseline}", "-o", "/dev/null")
        lines = baseline.read_text().split("\n")
        baseline.write_text("\n".join(lines[:len(lines) // 2]) + "\n")
        runner.compare([*command, f"--baseline={baseline}"], 3)
        runner.run("merge", *files, "--costs", costs, "-o", "/dev/null")
        runner.compare(command, 4, f"--shard-costs={costs}")
        rules = folder / "rules.toml"
        shutil.copy(root / "rules/default.toml", rules)
        runner.compare([*command, f"--rules={rules}"], 2)
        # Sources in Latin-1, and a comment that silences: neither is there any more when the parts are merged.
        latin = folder / "latin.c"
        latin.write_bytes(LAYERS.encode().replace(b"char *p = copied(a); return p[0]", b"char *p = copied(a); /* \xe9 */ return p[0]")
                          .replace(b"int unused(int n) {", b"/* nestor: ignore */\nint unused(int n) {"))
        runner.run("cc", "-w", "-o", folder / "latin", latin)
        command = ["lint", folder / "latin.bc", "--all-rules", "--format=sarif"]
        one, files = runner.run(*command), runner.parts(command, 3)
        latin.unlink()
        merged = runner.run("merge", *files)
        if (one.returncode, one.stdout) != (merged.returncode, merged.stdout) or b"latin.c" not in one.stdout:
            runner.problems.append(f"without the sources: {one.stdout[:3000]}\n{merged.stdout[:3000]}")
    print("\n".join(runner.problems[:10]) or f"{runner.compared} merged reports are what one run prints")
    return 1 if runner.problems else 0


if __name__ == "__main__":
    sys.exit(main())
