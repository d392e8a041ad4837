#!/usr/bin/env python3
"""The benchmark of seeded bugs on a program of our own, and how the output of the labelled cases is read.

usage: seeds.py NESTOR SOURCE-ROOT

Where Nestor was built without LLVM, or clang 19 or LLVM's library is missing, the test is skipped.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import features  # noqa: E402

FLAGS = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-w"]

# kept's memory can still be reached by its name, so that nothing is lost without its free: no seed; what `lose` loses is there
# without any seed; the close of 0 is no site, nor is what main never comes to, nor what is at the program's end.
PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void buffer_free(char *buffer) { free(buffer); }
static void borrow(int n) {
  char *own = malloc(n);
  if (own) own[0] = 0;
  buffer_free(own);
}
static int look(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return 1;
  int c = getc(file);
  if (fclose(file) != 0) return 2;
  return c;
}
static void count(int *n) {
  pthread_mutex_lock(&lock);
  if (*n > 9) { pthread_mutex_unlock(&lock); return; }
  ++*n;
  pthread_mutex_unlock(&lock);
}
static void lose(const char *path) {
  FILE *file = fopen(path, "r");
  if (file) getc(file);
}
static void never(void) { free(kept); }
static void drop(void) { free(kept); }
static void quit(char *all) { free(all); exit(1); }
static int (*table[])(const char *) = {look};
int main(int argc, char **argv) {
  kept = malloc(argc);
  borrow(argc);
  count(&argc);
  if (argc > 99) quit(kept);
  if (argc > 9) free(kept); else drop();
  lose(argv[1]);
  close(0);
  return table[0](argv[0]);
}
"""

# function, callee, kind, holder, fate
SITES = {
    ("buffer_free", "free", "memory", "parameter", "lost"), ("borrow", "buffer_free", "memory", "local", "lost"),
    ("look", "fclose", "stream", "local", "lost"), ("count", "pthread_mutex_unlock", "lock", "global", "lost"),
    ("drop", "free", "memory", "global", "held"),
}
FOUND = {"look": ["stream-leak"], "count": ["lock-not-released"]}

# What each function releases is lost without that, or not.
HOLDERS = """
#include <stdlib.h>
#include <string.h>
struct box { char *first, *second; int count; };
char *global; struct box *boxes;
void lost_local(void) { char *p = malloc(3); char *q = p; if (q) free(q); }
void held_before(struct box *box) { char *p = malloc(3); box->first = p; free(p); }
void lost_or_stored(struct box *box) { char *p = malloc(3); if (box->count) { free(p); return; } box->first = p; }
void held_global(void) { free(global); }
void lost_overwritten(void) { free(global); global = NULL; }
void lost_member(struct box *box) { free(box->first); free(box); }
void held_member(struct box *box) { free(box->second); }
void lost_in_caller(struct box *box) { free(box->second); }
void lost_parameter(char *p) { free(p); }
int unknown_callback(char *p) { free(p); return 0; }
int (*callback)(char *) = unknown_callback;
int main(void) {
  struct box own;
  own.second = strdup("");
  lost_local(); held_before(boxes); lost_or_stored(boxes); held_global(); lost_overwritten(); held_member(boxes);
  lost_in_caller(&own); lost_parameter(strdup("")); lost_member(boxes);
  return callback(global);
}
"""

SCORE = """CWE   bad/good                  nestor              nestor-all   (found %, false %, precision %)
   nestor: CWE401_x_01.c: missed
252    18/31            28   0.0   100          30   1.5    95
367     0/0              0   0.0     0           0   0.0     0
401    36/89             6   2.2    50           8   2.2    55
nestor: found 7 of 54 (13.0 %), false 2 of 120 (1.7 %), precision 77.8 %
nestor-all: found 8 of 54 (14.8 %), false 3 of 120 (2.5 %), precision 72.7 %
"""


class Seeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.folder / "tiny.c").write_text(PROGRAM, encoding="utf-8")
        subprocess.run([features.CLANG, *FLAGS, cls.folder / "tiny.c", "-o", cls.folder / "tiny.bc"], check=True)

    def test_sites(self):
        program = seeds.Program(self.folder / "tiny.bc")
        sites = program.sites()
        program.close()
        self.assertEqual({(site.function, site.callee, site.kind, site.holder, site.fate) for site in sites}, SITES)
        self.assertEqual(len(sites), 6)
        lines = PROGRAM.splitlines()
        for site in sites:
            self.assertIn(f"{site.callee}(", lines[int(site.place.rpartition(":")[2]) - 1])
        self.assertEqual([site.kind for site in seeds.chosen("tiny", sites, 4)], ["memory", "stream", "lock", "memory"])

    def test_fates(self):
        (self.folder / "holders.c").write_text(HOLDERS, encoding="utf-8")
        subprocess.run([features.CLANG, *FLAGS, self.folder / "holders.c", "-o", self.folder / "holders.bc"], check=True)
        program = seeds.Program(self.folder / "holders.bc")
        fates = {(site.function, site.holder): site.fate for site in program.sites()}
        program.close()
        self.assertEqual(len(fates), 11)
        for (function, holder), fate in fates.items():
            # What lost_member is given lies in a global, that of the callback comes from nowhere.
            expected = "held" if (function, holder) == ("lost_member", "parameter") else function.split("_")[0]
            self.assertEqual(fate, expected, (function, holder))

    def test_found_and_missed(self):
        found = seeds.run(NESTOR, self.folder, ["tiny"])
        self.assertEqual(len(found), 5)
        for seed in found:
            if seed["function"] in FOUND:
                self.assertEqual(seed["found"], FOUND[seed["function"]], seed)
        halves = [seeds.run(NESTOR, self.folder, ["tiny"], half) for half in ("tuning", "held-back")]
        self.assertEqual(sorted(map(str, halves[0] + halves[1])), sorted(map(str, found)))
        (header, by_program), (_, by_holder) = seeds.tables(found)
        self.assertEqual((by_program[0][header.index("stream")], by_program[-1][header.index("lock")]),
                         ("1 of 1", "2 of 2"))
        self.assertEqual([by_program[0][header.index(half)] for half in ("tuning", "held-back")],
                         [seeds.share(half) for half in halves])
        self.assertEqual(by_holder[-1][4], "2 of 2")

    def test_scores(self):
        self.assertEqual(rules.scores(SCORE), [
            ("252", 18, 31, {"nestor": ("28", "0.0", "100"), "nestor-all": ("30", "1.5", "95")}),
            ("401", 36, 89, {"nestor": ("6", "2.2", "50"), "nestor-all": ("8", "2.2", "55")}),
            ("all", 54, 120, {"nestor": ("13.0", "1.7", "77.8"), "nestor-all": ("14.8", "2.5", "72.7")})])


if __name__ == "__main__":
    NESTOR, root = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path[:0] = [str(root / "bench"), str(root / "bench/programs")]
    import rules
    import seeds
    try:
        seeds.bound()
    except OSError:
        print("skipped: needs LLVM's library")
        sys.exit(features.SKIPPED)
    if missing := features.missing_for_programs(NESTOR):
        print(missing)
        sys.exit(features.SKIPPED)
    unittest.main(argv=sys.argv[:1])
