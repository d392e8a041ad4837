#!/usr/bin/env python3
"""Looks at pages in a real browser: walks through witnesses by keys and compares every step with what --json says.

usage: run.py NESTOR SOURCE-ROOT FOLDER

Pictures of the pages are left in FOLDER. Skipped where Chromium, its driver or Selenium is missing ('make browser').
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import browser  # noqa: E402
from browser import Browser  # noqa: E402

SKIPPED = 77
EVIL = "</script><script>document.body.dataset.evil=1</script><img src=x onerror=\"document.body.dataset.evil=1\">"

PROGRAM = """#include <stdlib.h>
static char *copy(void) {
  char *made = malloc(8);
  if (made == NULL) {
    return NULL;
  }
  made[0] = 0;
  return made;
}
static int use(int count) {
  char *mine = copy();
  if (count > 1) {
    return 2;
  }
  free(mine);
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  return use(argc) + use(0);
}
"""


class Failed(Exception):
    pass


def expect(what, found, wanted):
    if found != wanted:
        raise Failed(f"{what}: found {found!r}, expected {wanted!r}")


def expected_steps(witness):
    """The walk from the first root, as (procedure, node, depth, labels, how it was reached)."""
    evidence, states, stacks = witness["evidence"], witness["states"], witness["stacks"]

    def depth(stack):
        return 0 if stack == 0 else 1 + depth(stacks[stack]["below"])

    def part(piece, first, end):
        return list(zip(piece["path"][first:end], piece["steps"][first - 1:]))

    path, at = [(evidence[witness["roots"][0]]["state"], "")], witness["roots"][0]
    while at is not None:
        piece = evidence[at]
        path += part(piece, 1, None) if "path" in piece else []
        while piece.get("ending") == "joins":
            start, piece = piece["join_at"], evidence[piece["joins"]]
            path += part(piece, start + 1, None)
            if piece.get("ending") == "loop" and piece["loop"] < start and not piece["grown"]:
                path += part(piece, piece["loop"] + 1, start + 1)
        at = next((part for part in piece.get("parts", [])
                   if len(evidence[part].get("path", [])) > 1 or evidence[part].get("parts")), None)
    return [(states[s]["procedure"], states[s]["node"], depth(states[s]["stack"]), states[s]["labels"], how) for s, how in path]


class Pages:
    def __init__(self, nestor, root, folder):
        self.nestor, self.root, self.folder = nestor, root, folder
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *arguments):
        done = subprocess.run([self.nestor, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=self.root)
        if done.returncode not in (0, 1):
            raise Failed(f"{' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}")
        return done.stdout

    def check(self, name, *arguments):
        """A page, and what --json says to the same question."""
        page = self.folder / f"{name}.html"
        found = self.run("check", *arguments, "--json", "--witness", f"--html={page}")
        return page, json.loads(found)


def walk_all(window, page, document, name, folder, most=4):
    """Each witness that is a path, from its first step to the last by keys, and back to the first."""
    walked = 0
    for number, result in enumerate(document["results"]):
        steps = expected_steps(result["witness"]) if "witness" in result else []
        if len(steps) < 2 or walked == most:
            continue
        window.open(page, f"formula={number}")
        window.wait("document.getElementById('walk').dataset.step === '0'")
        for i, (procedure, node, depth, labels, how) in enumerate(steps):
            found = window.walk()
            where = f"{name}: formula {number}, step {i}"
            expect(f"{where}: number", found["step"], str(i))
            shown = found["labels"].split("\n") if found["labels"] else []
            expect(where, (found["procedure"], found["node"], int(found["depth"]), shown, found["how"]),
                   (procedure, node, depth, labels, how))
            frames = window.value("document.querySelectorAll('.stack li').length")
            expect(f"{where}: open calls", frames, depth + 1)
            window.press(browser.Keys.ARROW_RIGHT)
        expect(f"{name}: it stops at the end", window.walk()["step"], str(len(steps) - 1))
        if walked == 0:
            window.picture(folder / f"{name}.png")
        window.press(browser.Keys.HOME)
        expect(f"{name}: the first step", window.walk()["step"], "0")
        walked += 1
    if walked == 0:
        raise Failed(f"{name}: there was nothing to walk through")
    expect(f"{name}: console", window.console(), [])


def test_jumps(window, steps, name):
    """From each step over the call, to the return, to the next call."""
    def first(found):
        return next(found, None)

    for i, (_, _, depth, _, _) in enumerate(steps):
        later = range(i + 1, len(steps))
        wanted = {
            "o": first(j for j in later if steps[j][2] <= depth),
            "r": first(j for j in later if steps[j][2] < depth or (steps[j][2] == depth and "return" in steps[j][4])),
            "c": first(j for j in later if "call" in steps[j][4]),
            "d": first(j for j in later if steps[j][3] != steps[j - 1][3]),
        }
        for key, step in wanted.items() if i % 3 == 0 else ():
            window.script("nestor.place.move({step: arguments[0]});", i)
            window.press(key)
            expect(f"{name}: key {key} at step {i}", window.walk()["step"], str(i if step is None else step))


def test_rsm(window, pages):
    page, document = pages.check("rsm", "examples/recursion.rsm", "examples/recursion.ctl")
    walk_all(window, page, document, "rsm", pages.folder)
    # The source is there, with the line of the state marked.
    window.open(page, "formula=1&step=2")
    window.wait("document.getElementById('walk').dataset.step === '2'")
    expect("the marked line", window.value("document.querySelector('.source .row.marked .number').textContent"), "25")
    expect("the current node is drawn", window.value("document.querySelector('.graph .vertex.current title').textContent"), "lock_25_4")
    # Keys: the next call, the loop, a label; then folding.
    window.press("c")
    expect("to the next call", window.walk()["step"], "3")
    window.press("l")
    expect("to the loop", window.walk()["step"], "3")
    expect("the loop is shown", window.value("document.querySelectorAll('.row.loop').length"), 3)
    window.press(browser.Keys.HOME, "g")
    expect("to where a label holds", (window.walk()["step"], window.walk()["labels"]), ("2", "locked"))
    rows = "document.querySelectorAll('.steps .row .number').length"
    before = window.value(rows)
    window.press("F")
    if window.value(rows) >= before:
        raise Failed("folding all calls hides no step")
    window.press("F")
    expect("unfolding shows them again", window.value(rows), before)
    # A link leads to a step, and the address follows the walk.
    window.press(browser.Keys.END)
    window.wait("location.hash.includes('step=5')")
    # A claim of the tree opens its own walk.
    window.click(".claim[data-piece='2']")
    window.wait("document.getElementById('walk').dataset.piece === '2'")
    # The labelling: colours are the values that nestor label prints.
    label = json.loads(pages.run("label", "examples/recursion.rsm", "-f", "AG (locked -> AF unlocked)", "--json"))["results"][0]
    window.open(page)
    for part, subformula in enumerate(label["subformulas"]):
        for context, instance in enumerate(label["instances"]):
            window.script("nestor.place.go({view: 'labelling', formula: 1, part: arguments[0], context: arguments[1]});", part, context)
            window.wait(f"document.getElementById('labelling').dataset.part === '{part}' && "
                        f"document.querySelector('#labelling select').selectedIndex === {context}")
            rows_here = range(len(instance["nodes"]))
            holds = [row for row in rows_here if instance["first_row"] + row in subformula["rows"]]
            expect("where it holds", window.value("document.getElementById('labelling').dataset.holds"), " ".join(map(str, holds)))
            yes = window.value("[...document.querySelectorAll('#labelling .vertex.yes title')].map((title) => title.textContent).sort()")
            expect("what is coloured", yes, sorted(instance["nodes"][row] for row in holds))
    window.picture(pages.folder / "labelling.png")
    # The model: a click opens a procedure.
    window.open(page, "view=model")
    window.script("document.querySelector('#model .vertex.procedure[data-vertex=\"1\"]').dispatchEvent(new MouseEvent('click'));")
    expect("the procedure", window.value("document.getElementById('model').dataset.procedure"), "visit")
    window.picture(pages.folder / "model.png")
    expect("console", window.console(), [])


def test_without_sources(window, pages):
    page = pages.folder / "bare.html"
    pages.run("check", "examples/recursion.rsm", "examples/recursion.ctl", "--no-sources", f"--html={page}")
    window.open(page, "formula=1&step=2")
    window.wait("document.getElementById('walk').dataset.step === '2'")
    expect("no source", window.value("document.querySelector('.source').hidden"), True)


def test_smv(window, pages):
    page, document = pages.check("smv", "examples/mutex.smv")
    walk_all(window, page, document, "smv", pages.folder)
    window.open(page, "formula=0&step=1")
    window.wait("document.getElementById('walk').dataset.step === '1'")
    changed = window.value("[...document.querySelectorAll('.values .changed')].map((row) => row.textContent)")
    expect("what changed", changed, ["user2n2 → t2", "turn0 → 2"])
    # The approximations of EG !(user1 = c1), from all states down to three: the states that the labelling has.
    sizes = []
    window.open(page, "view=labelling&formula=0&part=3&approximation=0")
    while True:
        sizes.append(len(window.value("document.getElementById('labelling').dataset.holds").split()))
        before = window.value("document.querySelector('.stepper output').textContent")
        window.press(browser.Keys.ARROW_RIGHT)
        if window.value("document.querySelector('.stepper output').textContent") == before:
            break
    expect("approximations", (sizes[0], sizes[-1], sizes == sorted(sizes, reverse=True)), (9, 3, True))
    expect("console", window.console(), [])


def test_net(window, pages):
    page, document = pages.check("net", "examples/philosophers.net", "examples/philosophers.ctl")
    walk_all(window, page, document, "net", pages.folder)
    number = next(i for i, result in enumerate(document["results"]) if result.get("name") == "no_deadlock")
    fired = next(e["fired"] for e in document["results"][number]["witness"]["evidence"] if "fired" in e)
    window.open(page, f"formula={number}&step=2")
    window.wait("document.getElementById('walk').dataset.step === '2'")
    expect("the transition", window.value("document.querySelector('.fired b').textContent"), fired[1]["transition"])
    changed = window.value("document.querySelectorAll('.values .changed').length")
    expect("places that change", changed, 3)


def test_program(window, pages):
    if not shutil.which("clang-19"):
        print("no clang-19: C programs are left out")
        return
    source, bitcode = pages.folder / "program.c", pages.folder / "program.bc"
    source.write_text(PROGRAM, encoding="utf-8")
    subprocess.run(["clang-19", "-g", "-O0", "-emit-llvm", "-c", str(source), "-o", str(bitcode)], check=True)
    done = subprocess.run([pages.nestor, "info", str(bitcode)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("built without LLVM: C programs are left out")
        return
    page, document = pages.check("program", bitcode, "-f", "AG (call_malloc -> AF call_free)")
    walk_all(window, page, document, "program", pages.folder)
    window.open(page, "formula=0")
    window.wait("document.getElementById('walk').dataset.step === '0'")
    test_jumps(window, expected_steps(document["results"][0]["witness"]), "program")
    expect("the source", "mine = copy()" in window.value("document.querySelector('.source').textContent"), True)
    page = pages.folder / "lint.html"
    report = json.loads(pages.run("lint", bitcode, "--format=json", "--quiet", f"--html={page}"))
    steps = report["warnings"][0]["path"]
    window.open(page, "formula=0")
    window.wait("document.getElementById('walk').dataset.step === '0'")
    for step in steps:
        expect("lint: step", (window.walk()["node"], int(window.walk()["depth"])), (step["message"], step["depth"]))
        expect("lint: line", window.value("document.querySelector('.source .row.marked .number').textContent"), str(step["line"]))
        window.press(browser.Keys.ARROW_RIGHT)
    window.picture(pages.folder / "lint.png")
    expect("console", window.console(), [])


def test_hostile_names(window, pages):
    """Names are data, wherever they are shown."""
    model = {
        "initial_component": EVIL, "initial_node": f"{EVIL}1",
        "components": [{
            "name": EVIL,
            "nodes": [
                {"name": f"{EVIL}1", "labels": [f"{EVIL}p"], "is_entry": True, "is_exit": False, "file": f"{EVIL}.c", "line": 1},
                {"name": f"{EVIL}2", "labels": ["q\u2028\u2029"], "is_entry": False, "is_exit": True}],
            "boxes": [],
            "transitions": [{"source": {"type": "node", "name": f"{EVIL}1"}, "targets": [{"type": "node", "name": f"{EVIL}2"}]}],
        }],
    }
    path = pages.folder / "<script>evil<script>.rsm"
    path.write_text(json.dumps(model), encoding="utf-8")
    atom = EVIL.replace('"', "'")
    page, document = pages.check("evil", path, "-f", "EF (!true | EX \"q\u2028\u2029\")", "-f", f'AG "{atom}p"')
    for view in ("verdicts", "walk", "labelling", "model"):
        window.open(page, f"view={view}&formula=0")
        window.wait(f"document.body.dataset.view === '{view}'")
        expect("nothing of the model runs", window.value("document.body.dataset.evil ?? null"), None)
        expect("no element of the model", window.value("document.querySelectorAll('img, #app script').length"), 0)
    walk_all(window, page, document, "evil", pages.folder)
    # The page's own policy stops what is put in from outside, too.
    window.open(page)
    window.script("const s = document.createElement('script'); s.textContent = 'document.body.dataset.evil = 1'; document.body.append(s);"
                  "const d = document.createElement('div'); d.innerHTML = '<img src=x onerror=\"document.body.dataset.evil=1\">'; document.body.append(d);")
    expect("the policy", window.value("document.body.dataset.evil ?? null"), None)
    window.console()


def test_many_formulas(window, pages):
    """1600 of them: sorting, filtering and searching; of the rows only those that are seen exist."""
    formulas = pages.folder / "many.ctl"
    formulas.write_text("".join(f"f{i} := {'EF' if i % 3 else 'AF'} {'done' if i % 2 else 'locked'}\n" for i in range(1600)), encoding="utf-8")
    page, document = pages.check("many", "examples/recursion.rsm", formulas)
    window.open(page)
    rows = "document.querySelectorAll('.verdicts .row')"
    if not 10 < window.value(f"{rows}.length") < 100:
        raise Failed(f"{window.value(f'{rows}.length')} rows exist")
    window.press("/")
    for key in "f1599":
        window.press(key)
    expect("the search", window.value(f"[...{rows}].map((row) => row.querySelector('.number').textContent)"), ["1600"])
    window.script("const s = document.querySelector('.verdicts input'); s.value = ''; s.dispatchEvent(new Event('input'));")
    verdicts = [result["verdict"] for result in document["results"]]
    window.click(".chip[data-kind=fails]")
    expect("the filter", window.value("document.querySelector('.count').textContent"), f"{verdicts.count('fails')} of 1600")
    window.click(".chip[data-kind=fails]")
    window.click(".head[data-key=kind]")
    expect("sorted", window.value(f"{rows}[0].querySelector('.verdict').textContent.trim().slice(2)"), min(verdicts))
    window.press(browser.Keys.ESCAPE)
    window.script("document.querySelector('.verdicts .list').focus();")
    window.press(browser.Keys.END, browser.Keys.ENTER)
    window.wait("document.body.dataset.view === 'walk'")
    milliseconds = window.value("(() => { const start = performance.now(); for (let i = 0; i < 10; ++i) nestor.table.filter(); return (performance.now() - start) / 10; })()")
    print(f"sorting and filtering 1600 formulas: {milliseconds:.1f} ms")
    expect("console", window.console(), [])


def test_keyboard_and_print(window, pages):
    """All of it by keys, with a focus that is seen; nothing is cut off in print or on a phone."""
    page = pages.folder / "rsm.html"
    window.open(page)
    window.press("2")
    window.wait("document.body.dataset.view === 'walk'")
    window.press("]")
    window.wait("location.hash.includes('formula=1')")
    window.press(browser.Keys.TAB)
    expect("focus is seen", window.value("getComputedStyle(document.activeElement).outlineStyle"), "solid")
    window.press("?")
    expect("help", window.value("document.querySelector('dialog').open"), True)
    window.press(browser.Keys.ESCAPE)
    window.driver.set_window_size(500, 800)
    expect("a narrow window does not scroll sideways",
           window.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), True)
    window.picture(pages.folder / "narrow.png")
    window.driver.set_window_size(1280, 860)
    printed = window.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    if len(printed) < 5000:
        raise Failed("an empty page is printed")


def test_live(window, pages):
    """A page that asks: formulas, another model, and a mistake at its place."""
    server = subprocess.Popen([pages.nestor, "serve", "examples/recursion.rsm", "examples/recursion.ctl"],
                              stdout=subprocess.PIPE, text=True, cwd=pages.root)
    address = server.stdout.readline().strip()
    if not address:
        server.wait()
        print("built without the server: it is left out")
        return
    try:
        window.open(address, "view=ask")
        window.script("document.querySelector('.ask textarea').value = 'EF unlocked';")
        window.click(".ask button.main")
        window.wait("document.getElementById('walk').dataset.step === '0'")
        steps = expected_steps(json.loads(pages.run("check", "examples/recursion.rsm", "-f", "EF unlocked", "--json", "--witness"))
                               ["results"][0]["witness"])
        window.press(browser.Keys.END)
        expect("the walk", (window.walk()["step"], window.walk()["node"]), (str(len(steps) - 1), steps[-1][1]))
        window.press("5")
        window.script("document.querySelector('.ask textarea').value = 'EF (done &';")
        window.click(".ask button.main")
        window.wait("document.querySelector('.problem').textContent.startsWith('<formula>:1:11:')")
        window.script("const e = document.querySelector('#edited'); e.click(); const s = document.querySelector('.editor select');"
                      "s.value = [...s.options].find((o) => o.textContent === 'mutex.smv').value; s.dispatchEvent(new Event('change'));"
                      "document.querySelector('.ask textarea').value = 'EF user1 = c1';")
        window.click(".ask button.main")
        window.wait("document.querySelector('h1').textContent === 'mutex.smv, edited'")
        window.wait("document.querySelectorAll('.values tr').length === 3")
        window.press("5")
        window.script("const m = document.querySelector('.editor textarea'); m.value = m.value.replace('turn : 0..2', 'turn : 0..');")
        window.click(".ask button.main")
        window.wait("document.querySelector('.problem').textContent.startsWith('<model>:7:')")
        marked = "(() => { const m = document.activeElement; return m.value.slice(m.selectionStart, m.selectionEnd); })()"
        expect("what is marked", window.value(marked), ";")
        window.picture(pages.folder / "live.png")
        complaints = [line for line in window.console() if "400" not in line]
        expect("console", complaints, [])
    finally:
        server.send_signal(signal.SIGTERM)
        expect("the server's end", server.wait(timeout=60), 0)


def main():
    if missing := browser.missing():
        print(f"{missing} is missing ('make browser' installs it): pages are not looked at")
        return SKIPPED
    nestor, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    pages = Pages(nestor, root, folder)
    problems = 0
    with Browser() as window:
        for test in (test_rsm, test_without_sources, test_smv, test_net, test_program, test_hostile_names, test_many_formulas,
                     test_keyboard_and_print, test_live):
            try:
                test(window, pages)
            except Failed as failed:
                print(f"{test.__name__}: {failed}")
                problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
