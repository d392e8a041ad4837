#!/usr/bin/env python3
"""The proved checker: builds the proof and the program, has what is proved checked by coqchk, and holds the
program against nestor's verifier and the one in Python.

usage: run.py NESTOR CERTIFICATES-PROGRAM SOURCE-ROOT SCRATCH-FOLDER [--all]

Skipped where Coq or OCaml are missing. With --all, as `make proof-test` calls it: every random certificate
of the test random.certificates, damaged ones too, by all three verifiers, every formula of two Java
programs, and coqchk on the libraries as well. Without, a part of each; the Java programs are found as by
../models/java.py and left out where they are absent.
"""

import gzip
import hashlib
import importlib.util
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib

SKIPPED = 77
PAIRS, PAIRS_OF_ALL = 300, 4000
JAVA = ["avroraMedTest", "avroraReg"]
STRIDE = 25  # without --all: every so many formulas of a Java program
STATEMENT_LINES = 150
EXPLORED = [("examples/mutex.smv", "AG (user1 = t1 -> AF user1 = c1)"), ("examples/mutex.smv", "EG !user1 = c1"),
            ("examples/counter.smv", "E [in_state2 U cr_reset]"),
            ("examples/philosophers.net", "AG EF tokens(eating) = 2"),
            ("examples/philosophers.net", "AF tokens(eating<0>) = 1"),
            ("test/regress/formats/two_for_one.pnml", "AF tokens(p) = 1")]

problems = []


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def expect(condition, what):
    if not condition:
        problems.append(what)
        print(f"problem: {what}", flush=True)


# ---- the proof ----

def build(source, out):
    for goal in ("all", out / "verify_list"):
        done = run(["make", "-C", source / "proof", f"OUT={out}", goal])
        if done.returncode != 0:
            sys.exit(f"the proof does not build: {done.stdout}{done.stderr}")


def check_proof(source, out, everything):
    statement = (source / "proof" / "Statement.v").read_text(encoding="utf-8")
    expect(len(statement.splitlines()) <= STATEMENT_LINES, "Statement.v is too long")
    expect(not any(word in statement for word in ("Proof", "Qed", "Axiom", "Parameter")),
           "Statement.v has more than definitions")
    (out / "Assumptions.v").write_text("""From Nestor Require Import Statement Check Sound.
Check (sound : sound_checker accepts).
Print Assumptions sound.
Print Assumptions checked.
""", encoding="utf-8")
    done = run(["coqc", "-q", "-Q", ".", "Nestor", "Assumptions.v"], cwd=out)
    expect(done.returncode == 0 and done.stdout.count("Closed under the global context") == 2
           and "Axioms" not in done.stdout, f"assumptions: {done.stdout}{done.stderr}")
    modules = ["Nestor." + name for name in ("Table", "Statement", "Check", "Sound")]
    if everything:
        done = run(["coqchk", "-silent", "-o", "-Q", ".", "Nestor", *modules], cwd=out)
        expect("* Axioms: <none>" in done.stdout + done.stderr, f"coqchk: {done.stdout}{done.stderr}")
    else:
        done = run(["coqchk", "-silent", *(w for m in modules for w in ("-norec", m)), "-Q", ".", "Nestor"], cwd=out)
    expect(done.returncode == 0, f"coqchk: {done.stdout}{done.stderr}")


# ---- the program ----

def says(program, model, certificate):
    done = run([program, model, certificate])
    known = {(0, "verified: holds\n", False): "holds", (0, "verified: fails\n", False): "fails",
             (1, "", True): "refused", (2, "", True): "unreadable"}
    return known.get((done.returncode, done.stdout, "error: " in done.stderr),
                     f"{done.returncode} {done.stdout}{done.stderr}")


def agree(nestor, program, arguments, status, **options):
    """nestor verify and the proved checker print the same and exit with the same."""
    first, second = run([nestor, "verify", *arguments], **options), run([program, *arguments], **options)
    if "quantifier" in second.stderr or "path formula" in second.stderr:  # nestor reads formulas beyond CTL as well
        expect(first.returncode == second.returncode == 2, f"{arguments}: {first.returncode}, {second.returncode}")
        return
    expect((first.returncode, first.stdout, first.stderr) == (second.returncode, second.stdout, second.stderr),
           f"{arguments}: nestor verify: {first.returncode} {first.stdout}{first.stderr}, "
           f"proved: {second.returncode} {second.stdout}{second.stderr}")
    expect(status in (None, first.returncode), f"{arguments}: status {first.returncode}, expected {status}")


def check_lies(nestor, program, source, scratch):
    cases = sorted((source / "test" / "certificates").glob("*.cert"))
    for case in cases:
        model = case.with_suffix(".rsm")
        copy = scratch / case.name
        copy.write_text(case.read_text(encoding="utf-8").replace(
            'model "h"', f'model "{hashlib.sha256(model.read_bytes()).hexdigest()}"'), encoding="utf-8")
        agree(nestor, program, [model, copy], 1)
    print(f"{len(cases)} lies refused", flush=True)


def check_unreadable(nestor, program, source):
    """Each malformed model with its message; then what only reading the rest of the file shows."""
    folder = source / "test" / "malformed" / "rsm"
    cases = sorted(folder.glob("*.rsm"))
    for case in cases:
        found = run([program, case.name, os.devnull], cwd=folder)
        expected = case.with_suffix(".expected").read_text(encoding="utf-8").rstrip("\n")
        expect((found.returncode, found.stdout, found.stderr.rstrip("\n")) == (2, "", expected),
               f"{case.name}: {found.returncode} {found.stdout}{found.stderr}, expected {expected}")
    model = source / "examples" / "dataflow.rsm"
    for arguments in (["none.rsm", os.devnull], [model, "none.cert"], ["none.rsm", "none.cert"], [model, folder],
                      ["-", "-"], [], [model], [model, os.devnull, "x"]):
        agree(nestor, program, arguments, 2, stdin=subprocess.DEVNULL)
    agree(nestor, program, [model, "-"], 1, stdin=subprocess.DEVNULL)
    agree(nestor, program, [model, os.devnull], 1)
    print(f"{len(cases)} malformed models refused", flush=True)


def check_damaged_models(nestor, program, source, scratch, count):
    """Models with a byte changed, left out or doubled, or cut: the same message, or both read them."""
    damage = random.Random(1)
    names = ("examples/dataflow.rsm", "test/certificates/an_exit_taken_for_another.rsm")
    texts = [(source / name).read_bytes() for name in names]
    path, refused = scratch / "damaged.rsm", 0
    for _ in range(count):
        text = damage.choice(texts)
        at = damage.randrange(len(text))
        kind = damage.randrange(5)
        if kind == 0:
            text = text[:at] + bytes([damage.randrange(256)]) + text[at + 1:]
        elif kind == 1:
            text = text[:at] + damage.choice([b'"', b"{", b"}", b"[", b"]", b",", b":", b"1", b"\\", b" "]) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + damage.randrange(1, 12):]
        elif kind == 3:
            text = text[:at]
        else:
            words = [w for w in re.findall(rb'"[^"]*"|true|false', text)]
            old, new = damage.choice(words), damage.choice(words)
            places = [m.start() for m in re.finditer(re.escape(old), text)]
            at = damage.choice(places)
            text = text[:at] + new + text[at + len(old):]
        path.write_bytes(text)
        first, second = (subprocess.run([*command, path, os.devnull], capture_output=True, check=False)
                         for command in ([nestor, "verify"], [program]))
        refused += first.returncode == 2
        expect((first.returncode, first.stdout, first.stderr) == (second.returncode, second.stdout, second.stderr),
               f"damaged model: nestor verify: {first.returncode} {first.stderr}, "
               f"proved: {second.returncode} {second.stderr}, model: {text!r}")
    print(f"{count} damaged models, {refused} of them refused", flush=True)


def random_formula(choose, depth):
    if depth == 0 or choose.random() < 0.15:
        return choose.choice(["def_i", "use_i", "end", "true", "FALSE", '"use_i"', '"a\\x20b"', "x[3].y", "X", "U"])
    part = [random_formula(choose, depth - 1) for _ in range(2)]
    quantifier, letter, until = choose.choice("AE"), choose.choice("XFG"), choose.choice("URW")
    operator = choose.choice("& && and | || or -> --> <-> xor xnor".split())
    return choose.choice([f"{choose.choice(['!', '~', 'not '])}{part[0]}", f"({part[0]}) {operator} {part[1]}",
                          f"{part[0]} {operator} {part[1]}", f"{quantifier}{letter} {part[0]}",
                          f"{quantifier} {letter} {part[0]}", f"{quantifier} ({letter} {part[0]})",
                          f"{quantifier} [{part[0]} {until} {part[1]}]", f"{quantifier} ({part[0]} {until} ({part[1]}))"])


def check_formulas(nestor, program, source, scratch, count):
    """-f: the formula itself, its negation and another one; then tokens in any order, but for comparisons, which only
    nestor reads, as atoms of nets and SMV."""
    choose = random.Random(1)
    tokens = """p def_i X F G U R W A E AX EF AG EG ! ~ not & | || -> --> <-> xor xnor ( ) [ ] true "a-b" "\\x41" "q
                "\\q" := #c x[3] x.y 3 é a[ --c // % """.split() + ["\n", '"a\tb"', "\x01"]
    model, certificate, other, verified = source / "examples" / "dataflow.rsm", scratch / "f.cert", "true", 0
    for _ in range(count):
        formula = random_formula(choose, choose.randrange(1, 4))
        certificate.unlink(missing_ok=True)
        run([nestor, "check", model, "-f", formula, f"--certificate={certificate}"])
        if certificate.exists() and certificate.read_text(encoding="utf-8").startswith("nestor-certificate 2"):
            done = run([program, model, certificate])  # not CTL: beyond what is proved
            expect(done.returncode == 1 and "LTL or CTL*" in done.stderr, f"{formula}: {done.stderr}")
            certificate.write_text("", encoding="utf-8")
        elif certificate.exists():
            agree(nestor, program, [model, certificate, "-f", formula], 0)
            agree(nestor, program, [model, certificate, f"--formula=!({formula})"], 1)
            agree(nestor, program, [model, certificate, "-f", f"!!({formula})"], 0)
            agree(nestor, program, [model, certificate, "-f", other], None)
            other, verified = formula, verified + 1
        else:
            certificate.touch()
        soup = " ".join(choose.choice(tokens) for _ in range(choose.randrange(1, 9)))
        agree(nestor, program, ["-f", soup, model, certificate], None)
    expect(verified > count // 2, f"only {verified} of {count} random formulas have certificates")
    agree(nestor, program, [model, certificate, "-f", "p", "-f", "q"], 2)
    print(f"{verified} random formulas given with -f", flush=True)


def check_explored(nestor, program, source, scratch):
    """A certificate of an explored model is about the file that `nestor convert` writes."""
    for k, (name, formula) in enumerate(EXPLORED):
        certificate, converted = scratch / f"{k}.cert", scratch / f"{k}.rsm"
        done = run([nestor, "check", source / name, "-f", formula, f"--certificate={certificate}"])
        run([nestor, "convert", source / name, "-f", formula, "-o", converted])
        expect(says(program, converted, certificate) == done.stdout.split(" ")[0],
               f"{name}: {done.stdout}{done.stderr}{says(program, converted, certificate)}")
    print(f"{len(EXPLORED)} certificates of explored models verified", flush=True)


def check_compressed(nestor, program, source, scratch):
    """Stored, by a code of deflate's own and by a fixed one; then damaged, each in several ways."""
    model, plain = source / "examples" / "dataflow.rsm", scratch / "plain.cert"
    run([nestor, "check", model, "-f", "AG (def_i -> EF use_i)", f"--certificate={plain}"])
    packed = scratch / "packed.cert.gz"
    cases = []
    for level, strategy in ((0, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_FIXED)):
        pack = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
        content = pack.compress(plain.read_bytes()) + pack.flush()
        wrong = bytearray(content)
        wrong[-8] ^= 1
        half = content[:len(content) // 2]
        cases += [(content, 0), (content[:-3], 1), (bytes(wrong), 1), (half, 1), (half[:12], 1), (half[:2], 1)]
        # Bytes behind it are ignored unless they are another member, which is read as well.
        cases += [(content + b"x", 0), (content + b"\x1f", 0), (content + b"\x1f\x8c", 0), (content + bytes(100), 0),
                  (content + b"\x1f\x8b", 1), (content + content, 1), (content + gzip.compress(b"\n"), 0)]
        for at in range(2, len(content), 7):
            flipped = bytearray(content)
            flipped[at] ^= 1 << at % 8
            cases.append((bytes(flipped), None))
    for content, status in cases:
        packed.write_bytes(content)
        agree(nestor, program, [model, packed], status)
    print(f"{len(cases)} compressed files", flush=True)


# ---- many certificates, in one process ----

def compare(out, folder, verify):
    """What the verifiers say of the lines `MODEL CERTIFICATE VERDICT` of folder/list, refusals with their reason."""
    lines = [line.split(" ", 2) for line in (folder / "list").read_text(encoding="utf-8").split("\n")[:-1]]
    done = run([out / "verify_list", folder])
    found = done.stdout.split("\n")[:-1]
    expect(done.returncode == 0 and len(found) == len(lines), f"verify_list: {done.stderr}")
    name, model = None, None
    for (of_model, certificate, expected), proved in zip(lines, found):
        expect(proved == expected, f"{certificate} on {of_model}: {proved}, expected {expected}")
        if verify:
            if of_model != name:
                name, model = of_model, verify.Model(folder / of_model)
            third, why = verify.verify(model, folder / certificate)
            third += f" {why}" if why else ""
            expect(third == expected, f"{certificate} on {of_model}: {third} by verify.py, nestor says {expected}")
    counts = {verdict: sum(line.split(" ")[0] == verdict for line in found) for verdict in ("holds", "fails", "refused")}
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()), counts


def check_random(certificates, source, out, everything):
    spec = importlib.util.spec_from_file_location("verify", source / "tools" / "verify.py")
    verify = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(verify)
    # The others are those that random/certificates.py hands to verify.py.
    pairs, seed = (PAIRS_OF_ALL, 1) if everything else (PAIRS, 7000)
    with tempfile.TemporaryDirectory() as name:
        run([certificates, f"--pairs={pairs}", f"--seed={seed}", f"--out={name}"])
        text, counts = compare(out, pathlib.Path(name), verify if everything else None)
    expect(all(counts.values()), "random certificates are all alike")
    print(f"random certificates: {text}", flush=True)


def check_java(nestor, source, out, everything):
    models = pathlib.Path(os.environ.get("NESTOR_MODELS", source.resolve().parent / "shared" / "models"))
    if not (models / "java").is_dir():
        print(f"no Java programs: there is no folder {models / 'java'}")
        return
    for name in JAVA:
        truths = (models / "java" / f"{name}.expected.tsv").read_text(encoding="utf-8").splitlines()
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            with zipfile.ZipFile(models / "java" / f"{name}.zip") as archive:
                archive.extractall(folder)
            lines = [line for line in (folder / f"{name}_usedef.ctl").read_text(encoding="utf-8").splitlines()
                     if line.strip() and not line.startswith("#")]
            expect(len(lines) == len(truths), f"{name}: {len(lines)} formulas, {len(truths)} verdicts")
            chosen = range(0, len(lines), 1 if everything else STRIDE)
            (folder / "chosen.ctl").write_text("".join(lines[k] + "\n" for k in chosen), encoding="utf-8")
            run([nestor, "check", folder / f"{name}.rsm", folder / "chosen.ctl", f"--certificate-dir={folder}"])
            written = sorted(path.name for path in folder.glob("*.cert"))
            expect(len(written) == len(chosen), f"{name}: {len(written)} certificates for {len(chosen)} formulas")
            (folder / "list").write_text("".join(
                f"{name}.rsm {certificate} {'holds' if truths[k].startswith('true') else 'fails'}\n"
                for certificate, k in zip(written, chosen)), encoding="utf-8")
            text, _ = compare(out, folder, None)
            print(f"{name}: {text}", flush=True)


def main():
    nestor, certificates = sys.argv[1], sys.argv[2]
    source, out = pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]).resolve()
    everything = "--all" in sys.argv
    missing = [tool for tool in ("make", "coqc", "coqchk", "ocamlopt") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} missing; 'make proof' installs Coq and OCaml")
        return SKIPPED
    build(source, out)
    program = out / "nestor-verify-proved"
    check_proof(source, out, everything)
    with tempfile.TemporaryDirectory() as name:
        check_lies(nestor, program, source, pathlib.Path(name))
        check_explored(nestor, program, source, pathlib.Path(name))
        check_compressed(nestor, program, source, pathlib.Path(name))
        check_formulas(nestor, program, source, pathlib.Path(name), 300 if everything else 30)
        check_damaged_models(nestor, program, source, pathlib.Path(name), 2000 if everything else 200)
    check_unreadable(nestor, program, source)
    check_random(certificates, source, out, everything)
    check_java(nestor, source, out, everything)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
