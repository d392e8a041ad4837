#!/usr/bin/env python3
"""Checks what surrounds the rules: the forms of reports, baselines, suppression, the compiler wrapper.

usage: reports.py NESTOR SOURCE-ROOT

SARIF is checked against test/lint/sarif.schema.json, which holds what SARIF 2.1.0 says of the parts that Nestor
writes and allows nothing else; sarif_schema.py checks it against the schema of the standard. Skipped where Nestor was built without LLVM, or clang 19 is missing.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402


HELPER = """#include <stdlib.h>
void discard(char *text) { free(text); }
"""
MAIN = """#include <stdlib.h>
void discard(char *text);
static int first(const char *p) { return p[0]; }
int main(int argc, char **argv) {
  char *p = malloc(3);
  if (!p) return 1;
  p[0] = 'x';
  int r = first(p);
  if (argc > 1) discard(p);
  free(p);
  (void)argv;
  return r;
}
"""

TWICE = """#include <string.h>
int main(int argc, char **argv) {
  char b[9];
  if (argc > 1)
    strcpy(b, argv[0]);
  else
    strcpy(b, argv[0]);
  return b[0];
}
"""
STORY = """#include <stdio.h>
struct store { FILE *file; int depth; };
static int load(FILE *f, int n) {
  if (n < 0) return -1;
  return fgetc(f);
}
int run(const char *name, struct store *s, int mode) {
  FILE *f = fopen(name, "r");
  if (f == NULL) return 1;
  if (mode == 7) puts("seven");
  if (load(f, s->depth) == 'x') return 2;
  switch (mode) {
    case 3: break;
    default: fclose(f); return 0;
  }
  return 3;
}
int again(const char *name, struct store *s, int mode) { return run(name, s, mode); }
int main(int argc, char **argv) { struct store s = {0, argc}; return run(argv[0], &s, argc) + again(argv[0], &s, 1); }
"""
TOLD = """story.c:8:13: warning: the stream in 'f' is not closed on some path to the end of 'run' [stream-leak]
  story.c:8:13: calls 'fopen'
  story.c:9:7: 'f' is not null
  story.c:11:7: the result of 'load' is 120
  story.c:11:33: 'run' returns 2, and nothing holds it any more
"""
NAMES = """#include <cstdlib>
namespace store {
struct Box {
  template <class T> bool clear(T *text) const { std::free(text); return true; }
};
}
int main(int argc, char **argv) {
  store::Box box;
  char *p = static_cast<char *>(std::malloc(3));
  if (argc > 1) box.clear(p);
  std::free(p);
  return 0;
}
"""
ONCE = """#include <stdio.h>
#include <unistd.h>
static void save(const char *name) {
  if (access(name, F_OK) == 0) fopen(name, "w");
}
int main(int argc, char **argv) {
  const char *name = argv[argc - 1];
  save(name);
  return 0;
}
"""
HEADER = """#include <stdlib.h>
static inline void twice(char *p) { free(p); free(p); }
"""
MANY = """static int one(int x) { return x; }
static int two(int x) { return x + 1; }
static int three(int x) { return x + 2; }
static int (*table[3])(int) = {one, two, three};
int main(int argc, char **argv) { return table[argc % 3](argc); }
"""


class Test:
    def __init__(self, nestor, root, folder):
        self.nestor, self.root, self.folder = nestor, root, folder
        self.problems = []

    def run(self, *arguments):
        return subprocess.run([self.nestor, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def build(self):
        """An object, an archive and a program, as a makefile would make them."""
        for command in (["cc", "-O2", "-Wall", "-MD", "-c", "src/helper.c", "-o", "helper.o"],
                        ["cc", "-O2", "-o", "prog", "src/main.c", "libhelper.a", "-lm"]):
            if command[-2] == "libhelper.a":
                subprocess.run(["ar", "rcs", "libhelper.a", "helper.o"], cwd=self.folder, check=True)
            done = self.run(*command)
            self.expect(done.returncode == 0 and not done.stderr, f"{command}: {done}")
        for name in ("helper.o", "helper.o.bc", "prog", "prog.bc", "helper.d"):
            self.expect((self.folder / name).exists(), f"{name} is missing")
        runs = subprocess.run([self.folder / "prog"], check=False)
        self.expect(runs.returncode == ord("x"), f"the program does not run: {runs}")
        functions = json.loads(self.run("info", "prog.bc", "--json").stdout)["components"]
        self.expect(functions == 3, f"{functions} functions, expected main, first and discard from the archive")

    def wrapper_passes_on(self):
        (self.folder / "wrong.c").write_text("int main(void) { return x; }\n", encoding="utf-8")
        done = self.run("cc", "-c", "wrong.c")
        self.expect(done.returncode == 1 and "undeclared identifier" in done.stderr, f"a broken file: {done}")
        self.expect(not (self.folder / "wrong.o.bc").exists(), "bitcode of a file that does not compile")
        self.expect("clang version" in self.run("cc", "--version").stdout, "--version is the compiler's")
        done = self.run("cc", "-E", "src/helper.c")
        self.expect(done.returncode == 0 and "discard" in done.stdout, "-E")
        # Two files of the same name, and dependencies that must stay those of the object.
        for folder, text in (("one", "int helper(void) { return 0; }"), ("two", "int helper(void); int main(void) { return helper(); }")):
            (self.folder / folder).mkdir()
            (self.folder / folder / "same.c").write_text(text + "\n", encoding="utf-8")
        done = self.run("cc", "-o", "same", "one/same.c", "two/same.c")
        functions = json.loads(self.run("info", "same.bc", "--json").stdout)["components"]
        self.expect(done.returncode == 0 and not done.stderr and functions == 2, f"two files of the same name: {done}")
        self.run("cc", "-Wp,-MMD,same.d", "-c", "one/same.c", "-o", "same.o")
        self.expect((self.folder / "same.d").read_text(encoding="utf-8").startswith("same.o:"), "the file of dependencies")
        # Build systems put long command lines into files.
        (self.folder / "arguments").write_text('-O2 -c\n-o "named in a file.o" src/helper.c\n', encoding="utf-8")
        done = self.run("cc", "@arguments")
        self.expect(done.returncode == 0 and not done.stderr and (self.folder / "named in a file.o.bc").exists(),
                    f"a response file: {done}")
        self.expect(self.run("cc", "@no-such-file").returncode == 1, "a response file that is missing")
        environment = dict(os.environ, NESTOR_CLANG="no-such-compiler")
        done = subprocess.run([self.nestor, "cc", "-c", "src/helper.c"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False)
        self.expect(done.returncode == 2 and "no-such-compiler" in done.stderr, f"no compiler: {done}")

    def text(self):
        done = self.run("lint", "prog.bc", "--rule=double-free", "--quiet")
        self.expect(done.returncode == 1, f"lint: {done}")
        first = done.stdout.splitlines()[0] if done.stdout else ""
        self.expect(first == "src/main.c:9:17: error: 'p' is freed here, and every path from here on frees it again [double-free]",
                    f"the warning: {first}")
        self.expect(self.run("lint", "prog.bc", "--rule=stream-leak", "--quiet").stdout == "", "no warning expected")
        self.expect(self.run("lint", "prog.bc", "--rule=no-such").returncode == 2, "an unknown rule")

    def story(self):
        """What a person reads: the branches that matter, calls that are entered, the return that leaves, nothing else."""
        (self.folder / "story.c").write_text(STORY, encoding="utf-8")
        self.run("cc", "-o", "story", "story.c")
        done = self.run("lint", "story.bc", "--rule=stream-leak", "--quiet")
        self.expect(done.stdout == TOLD and not done.stderr, f"a story: {done.stdout}{done.stderr}")
        done = self.run("lint", "story.bc", "--rule=stream-leak", "--progress")
        self.expect("nestor: 1/1 stream-leak\n" in done.stderr
                    and done.stderr.endswith("nestor: 1 warning by 1 rule in 1 program\n"), f"counted: {done.stderr}")
        done = self.run("lint", "story.bc", "--rule=double-free", "--rule=memory-leak")
        self.expect(done.stderr.endswith("nestor: no warnings by 2 rules in 1 program\n"), f"counted: {done.stderr}")
        done = self.run("lint", "story.bc", "--rule=stream-leak", "--quiet", "--format=sarif")
        flow = json.loads(done.stdout)["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        self.expect([s["kinds"][0] for s in flow] == ["danger", "branch", "branch", "return"], f"kinds: {flow}")
        self.expect(flow[1]["kinds"] == ["branch", "false"]
                    and flow[1]["location"]["message"]["text"] == "'f' is not null", f"a branch: {flow[1]}")
        done = self.run("lint", "story.bc", "--rule=stream-leak", "--quiet", "--format=junit")
        self.expect("story.c:11:33: 'run' returns 2" in done.stdout.replace("&apos;", "'"), f"JUnit: {done.stdout}")

    def once(self):
        """What goes wrong in a function is not told again for its callers."""
        (self.folder / "once.c").write_text(ONCE, encoding="utf-8")
        self.run("cc", "-o", "once", "once.c")
        done = self.run("lint", "once.bc", "--rule=access-then-open", "--quiet")
        found = [line for line in done.stdout.splitlines() if line.endswith("[access-then-open]")]
        self.expect(len(found) == 1 and found[0].startswith("once.c:4:7: "), f"one fault: {done.stdout}")

    def documented(self):
        """The program of docs/c-programs.md and what the page says that is printed."""
        page = (self.root / "docs" / "c-programs.md").read_text(encoding="utf-8")
        blocks = [[line[4:] for line in block.splitlines()] for block in re.findall(r"(?m)(?:^    .*\n)+", page)]
        source = next(block for block in blocks if block[0] == "#include <pthread.h>")
        told = next(block for block in blocks if block[0] == "$ nestor cc -o count count.c && nestor lint count.bc")
        (self.folder / "count.c").write_text("\n".join(source) + "\n", encoding="utf-8")
        self.run("cc", "-o", "count", "count.c")
        done = self.run("lint", "count.bc")
        self.expect((done.stdout + done.stderr).splitlines() == told[1:], f"the page: {done.stdout}{done.stderr}")

    def names(self):
        """C++ by the names of its source, and no warning about the library."""
        (self.folder / "names.cpp").write_text(NAMES, encoding="utf-8")
        self.run("c++", "-o", "names", "names.cpp")
        done = self.run("lint", "names.bc", "--rule=double-free", "--quiet")
        self.expect("calls 'store::Box::clear<char>'\n" in done.stdout and "_Z" not in done.stdout, f"names: {done.stdout}")
        # A header of the system: found, and left out.
        header = self.folder / "twice.h"
        header.write_text(HEADER, encoding="utf-8")
        (self.folder / "user.c").write_text('#include "twice.h"\nint main(int argc, char **argv) { twice(malloc(3)); }\n',
                                            encoding="utf-8")
        self.run("cc", "-fdebug-prefix-map=" + str(self.folder) + "=/usr/include", "-o", "user", "user.c")
        self.expect(self.run("lint", "user.bc", "--rule=double-free", "--quiet").stdout == "", "a system header")
        done = self.run("lint", "user.bc", "--rule=double-free", "--quiet", "--system-headers")
        self.expect("/usr/include/twice.h:2:37: error" in done.stdout, f"--system-headers: {done.stdout}")

    def explains(self):
        done = self.run("lint", "--explain=stream-leak")
        for part in ("stream-leak (warning, CWE-772", "/* warn */", "How to mend it:", "// nestor: ignore stream-leak"):
            self.expect(done.returncode == 0 and part in done.stdout, f"--explain: no '{part}' in {done}")
        self.expect(self.run("lint", "--explain=no-such").returncode == 2, "--explain of an unknown rule")

    def linking(self):
        """Two files instead of one, and the same warning."""
        subprocess.run(["clang-19", "-g", "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "src/main.c"],
                       cwd=self.folder, check=True)
        done = self.run("lint", "main.bc", "helper.o.bc", "--rule=double-free", "--quiet")
        self.expect("src/main.c:9:17" in done.stdout, f"two files: {done}")
        done = self.run("check", "main.bc", "--link=helper.o.bc", "-f", "EF entry_discard")
        self.expect(done.returncode == 0, f"--link: {done}")
        # Linking makes one of structures that are laid out alike; fields keep the names that the sources have.
        for name, text in (("first", "struct one { int a; int b; };\nint read_one(struct one *p) { return p->b; }"),
                           ("second", "struct two { int c; int d; };\nint read_two(struct two *p) { return p->d; }\n"
                                      "int read_cast(void *p) { return ((struct two *)p)->c; }")):
            (self.folder / f"{name}.c").write_text(text + "\n", encoding="utf-8")
            subprocess.run(["clang-19", "-g", "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", f"{name}.c"],
                           cwd=self.folder, check=True)
        done = self.run("check", "first.bc", "--link=second.bc", "-f", "EF use_one.b & EF use_two.d")
        self.expect(done.returncode == 0, f"names of fields: {done}")
        done = self.run("check", "second.bc", "-f", "EF use_two.c")
        self.expect(done.returncode == 0, f"the name of a field after a cast: {done}")
        done = self.run("lint", "main.bc", "main.bc")
        self.expect(done.returncode == 2 and "cannot be linked" in done.stderr, f"the same file twice: {done}")

    def sarif(self):
        import jsonschema
        done = self.run("lint", "prog.bc", "--rule=double-free", "--rule=memory-leak", "--quiet", "--format=sarif")
        log = json.loads(done.stdout)
        schema = json.loads((self.root / "test" / "lint" / "sarif.schema.json").read_text(encoding="utf-8"))
        for error in jsonschema.Draft7Validator(schema).iter_errors(log):
            self.problems.append(f"SARIF: {error.message} at {list(error.absolute_path)}")
        results = log["runs"][0]["results"]
        rules = log["runs"][0]["tool"]["driver"]["rules"]
        self.expect([r["id"] for r in rules] == ["double-free", "memory-leak"], "the rules of the run")
        levels = {"double-free": "error", "memory-leak": "warning"}  # as rules/default.toml has them
        self.expect({r["id"]: r["defaultConfiguration"]["level"] for r in rules} == levels, "the levels of rules")
        self.expect({r["ruleId"]: r["level"] for r in results} == {"double-free": "error"},
                    f"the levels of results (what main leaves behind is no leak): {results}")
        for result in results:
            place = result["locations"][0]["physicalLocation"]
            self.expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex")
            self.expect((self.folder / place["artifactLocation"]["uri"]).exists(), f"a relative URI: {place}")
            for flow in result.get("codeFlows", []):
                steps = flow["threadFlows"][0]["locations"]
                self.expect([s["executionOrder"] for s in steps] == list(range(1, len(steps) + 1)), "the order of steps")
                self.expect(max(s["nestingLevel"] for s in steps) >= 1, "the path goes through a call")
        return [result["partialFingerprints"]["nestor/v1"] for result in results]

    def junit(self):
        done = self.run("lint", "prog.bc", "--rule=double-free", "--rule=stream-leak", "--quiet", "--format=junit")
        suite = xml.etree.ElementTree.fromstring(done.stdout).find("testsuite")
        cases = {case.get("name"): [child.tag for child in case] for case in suite}
        self.expect(cases == {"double-free": ["failure"], "stream-leak": []}, f"JUnit: {cases}")
        self.expect((suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0"), "JUnit's counts")

    def baseline_and_suppression(self, fingerprints):
        done = self.run("lint", "prog.bc", "--rule=double-free", "--quiet", "--write-baseline=known.txt")
        self.expect(done.returncode == 1, "writing a baseline does not hide warnings")
        done = self.run("lint", "prog.bc", "--rule=double-free", "--quiet", "--baseline=known.txt")
        self.expect(done.returncode == 0 and done.stdout == "", f"a baseline hides what it lists: {done}")
        # Lines that move keep their fingerprints; comments suppress.
        main = self.folder / "src" / "main.c"
        main.write_text("/* one */\n/* more */\n" + MAIN, encoding="utf-8")
        self.build()
        done = self.run("lint", "prog.bc", "--rule=double-free", "--quiet", "--baseline=known.txt")
        self.expect(done.returncode == 0, f"moved lines are new: {done.stdout}")
        self.expect(self.sarif() == fingerprints, "fingerprints change when lines move")
        for comment, status in (("// nestor: ignore double-free", 0), ("// nestor: ignore", 0),
                                ("// nestor: ignore stream-leak, double-free", 0), ("// nestor: ignore stream-leak", 1)):
            self.suppress(MAIN.replace("discard(p);\n", f"discard(p);  {comment}\n"), status)
        # Alone on the line above it is about the next line, behind other code about that.
        call = "  if (argc > 1) discard(p);"
        self.suppress(MAIN.replace(call, "  // nestor: ignore double-free\n" + call), 0)
        self.suppress(MAIN.replace(call, "  /* nestor: ignore double-free */\n" + call), 0)
        self.suppress(MAIN.replace(call, "  argc += 0;  // nestor: ignore double-free\n" + call), 1)

    def equal_lines(self):
        """Warnings about lines that read the same are told apart, wherever the sources are."""
        once = TWICE.replace("  else\n    strcpy(b, argv[0]);\n", "")
        found = []
        for place, text in (("here", once), ("here", TWICE), ("there", TWICE)):
            folder = self.folder / place
            folder.mkdir(exist_ok=True)
            (folder / "twice.c").write_text(text, encoding="utf-8")
            subprocess.run([self.nestor, "cc", "-o", "twice", "twice.c"], cwd=folder, check=True)
            lint = [self.nestor, "lint", "twice.bc", "--rule=dangerous-function", "--quiet"]
            if text == once:
                subprocess.run([*lint, "--write-baseline=known.txt"], cwd=folder, check=False, capture_output=True)
            elif place == "here":
                done = subprocess.run([*lint, "--baseline=known.txt"], cwd=folder, check=False, capture_output=True, text=True)
                self.expect(done.returncode == 1 and done.stdout.count("[dangerous-function]") == 1
                            and "twice.c:7:5" in done.stdout, f"one is known, one is new: {done}")
            done = subprocess.run([*lint, "--format=sarif"], cwd=folder, check=False, capture_output=True, text=True)
            found.append([r["partialFingerprints"]["nestor/v1"] for r in json.loads(done.stdout)["runs"][0]["results"]])
        self.expect([len(set(f)) for f in found] == [1, 2, 2], f"fingerprints of equal lines: {found}")
        self.expect(found[1] == found[2], f"fingerprints depend on where the sources are: {found}")

    def targets(self):
        """A call through a pointer follows as many functions as it may, and says how many it leaves out."""
        (self.folder / "many.c").write_text(MANY, encoding="utf-8")
        self.run("cc", "-o", "many", "many.c")
        everything = self.run("check", "many.bc", "-f", "EF entry_one & EF entry_two & EF entry_three")
        self.expect(everything.returncode == 0 and "followed" not in everything.stderr, f"all targets: {everything}")
        some = self.run("check", "many.bc", "--max-targets=2", "-f", "EF entry_one & EF entry_two & EF entry_three")
        self.expect(some.returncode == 1 and "many.c:5" in some.stderr
                    and "an indirect call has 3 possible targets, only 2 are followed" in some.stderr, f"two targets: {some}")

    def long_story(self):
        """A path too long to be told in full is told in short."""
        (self.folder / "long.c").write_text(
            "#include <stdlib.h>\nint work(int n) {\n  char *p = malloc(9);\n  if (!p) return 1;\n"
            + "  p[n] = 1;\n" * 12000 + "  return 0;\n}\nint main(int argc, char **argv) { return work(argc); }\n",
            encoding="utf-8")
        self.run("cc", "-o", "long", "long.c")
        done = self.run("lint", "long.bc", "--rule=memory-leak", "--quiet")
        self.expect(done.returncode == 1 and done.stdout.count("[memory-leak]") == 1 and "returns, and nothing" in done.stdout,
                    f"long story: {done}")

    def suppress(self, text, status):
        (self.folder / "src" / "main.c").write_text(text, encoding="utf-8")
        self.build()
        done = self.run("lint", "prog.bc", "--rule=double-free", "--quiet")
        self.expect(done.returncode == status, f"suppression: {done.returncode}, expected {status}: {text}{done.stdout}")


def main():
    nestor, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    if missing := features.missing_for_programs(nestor):
        print(missing)
        return features.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        test = Test(nestor, root, pathlib.Path(folder).resolve())
        (test.folder / "src").mkdir()
        (test.folder / "src" / "helper.c").write_text(HELPER, encoding="utf-8")
        (test.folder / "src" / "main.c").write_text(MAIN, encoding="utf-8")
        test.build()
        test.wrapper_passes_on()
        test.text()
        test.story()
        test.long_story()
        test.once()
        test.documented()
        test.names()
        test.explains()
        test.linking()
        test.junit()
        test.baseline_and_suppression(test.sarif())
        test.equal_lines()
        test.targets()
    for problem in test.problems:
        print(problem)
    print(f"{len(test.problems)} problems")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
