#!/usr/bin/env python3
"""Installs the Debian packages into an empty Debian root and runs the README's examples there.

usage: run.py PACKAGE-FOLDER SOURCE-ROOT

The root is made by debootstrap, once, and kept beside the packages: each run begins with a copy. Where it cannot be had
(no network, no rights), the packages are unpacked by dpkg below an empty folder, and their programs run with the
libraries of this machine.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = [  # of README.md, with the exit status; the files are those of nestor-doc
    (["check", "--witness", "dataflow.rsm", "dataflow.ctl"], 1),
    (["check", "dataflow.rsm", "-f", "AG EF end"], 0),
    (["check", "dataflow.rsm", "-f", "AG EF end", "--certificate=/tmp/proof.cert"], 0),
    (["verify", "dataflow.rsm", "/tmp/proof.cert"], 0),
    (["check", "dataflow.rsm", "--mu=nu X. mu Y. <>(end & X | Y)"], 0),
    (["check", "dataflow.rsm", "-f", "AF end", "--witness=/tmp/w.json"], 0),
    (["replay", "dataflow.rsm", "AF end", "/tmp/w.json"], 0),
    (["label", "dataflow.rsm", "-f", "EF end"], 0),
    (["info", "dataflow.rsm"], 0),
    (["convert", "philosophers.net", "-o", "/tmp/out.rsm"], 0),
    (["generate", "program", "--nodes=1000"], 0),
    (["engines"], 0),
]
PYTHON = ("import nestor; model = nestor.Model.read('dataflow.rsm'); "
          "print([r.verdict for r in model.check(nestor.read_formulas('dataflow.ctl'))])")


def run(*command, check=True, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **more)
    if check and done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done


def mirror():
    """That this machine has its packages from; None if its lists name none."""
    sources = "".join(path.read_text(encoding="utf-8") for path in
                      [*pathlib.Path("/etc/apt").glob("sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")])
    found = re.search(r"https?://\S*/debian(?=/?\s)", sources)
    return found and found[0]


def made_by_debootstrap(kept):
    """Whether `kept` is an empty Debian now."""
    if kept.exists():
        return True
    if shutil.which("debootstrap") is None:
        print("debootstrap is missing")
        return False
    if mirror() is None:
        print("the machine's list of packages names no mirror")
        return False
    unfinished = kept.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    done = run("debootstrap", "--variant=minbase", "bookworm", unfinished, mirror(), check=False)
    if done.returncode != 0:
        print("debootstrap does not work here:", (done.stdout + done.stderr).strip().splitlines()[-1:])
        return False
    unfinished.rename(kept)
    return True


def debian_root(kept, folder):
    """Whether `folder` is an empty Debian now, that has the mirror and the network of this machine."""
    if not made_by_debootstrap(kept):
        return False
    run("cp", "-a", "--reflink=auto", kept, folder)
    (folder / "etc/apt/sources.list").write_text(f"deb {mirror()} bookworm main\n", encoding="utf-8")
    shutil.copytree("/etc/apt/apt.conf.d", folder / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", folder / "etc" / name)
    return True


def run_examples(command, working, root):
    for arguments, status in EXAMPLES:
        done = run(*command("nestor"), *arguments, check=False, cwd=working)
        if done.returncode != status:
            raise SystemExit(f"nestor {arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        if "--witness" in arguments:
            readme = (root / "README.md").read_text(encoding="utf-8")
            shown = "".join(f"    {line}\n" for line in done.stdout.splitlines())
            if shown not in readme:
                raise SystemExit(f"README.md shows another output than\n{done.stdout}")
    done = run(*command("python3"), "-c", PYTHON, cwd=working)
    if done.stdout != "['fails', 'holds', 'holds']\n":
        raise SystemExit(f"Python prints {done.stdout}")


def in_a_root(folder, debs, root):
    (folder / "debs").mkdir()
    for deb in debs:
        shutil.copy(deb, folder / "debs")
    run("chroot", folder, "sh", "-c", "apt-get update -q && apt-get install -q -y --no-install-recommends /debs/*.deb g++ "
        "pkg-config", env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
    files = "/usr/share/doc/nestor-doc/examples"
    run_examples(lambda program: ["chroot", folder, "env", "-C", files, program], None, root)
    run("chroot", folder, "sh", "-c", f"c++ -std=c++20 {files}/api/build_model.cpp $(pkg-config --cflags --libs nestor) "
        "-o /tmp/build_model && /tmp/build_model")
    run("chroot", folder, "man", "-w", "nestor", check=False)
    run("chroot", folder, "apt-get", "purge", "-q", "-y", *(deb.name.partition("_")[0] for deb in debs))
    left = [str(path) for path in folder.glob("usr/**/*nestor*")]
    if left:
        raise SystemExit(f"after purging there is still {left}")


def unpacked(folder, debs, root):
    folder.mkdir(parents=True, exist_ok=True)
    for deb in debs:
        run("dpkg-deb", "--extract", deb, folder)
    library = next(folder.glob("usr/lib/*/libnestor.so.0")).parent
    environment = ["env", f"LD_LIBRARY_PATH={library}", f"PYTHONPATH={folder}/usr/lib/python3/dist-packages"]
    run_examples(lambda program: [*environment, "/usr/bin/python3" if program == "python3" else folder / "usr/bin" / program],
                 folder / "usr/share/doc/nestor-doc/examples", root)


def main():
    debs = sorted(pathlib.Path(sys.argv[1]).resolve().glob("*.deb"))
    root = pathlib.Path(sys.argv[2]).resolve()
    names = {deb.name.partition("_")[0] for deb in debs}
    if not names >= {"nestor", "libnestor0", "libnestor-dev", "nestor-doc", "python3-nestor"}:
        raise SystemExit(f"the packages are {names}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "root"
        if debian_root(pathlib.Path(sys.argv[1]).resolve() / "debian", folder):
            in_a_root(folder, debs, root)
            print(f"{len(debs)} packages installed in an empty Debian root, README's examples run, purged")
        else:
            unpacked(pathlib.Path(scratch) / "unpacked", debs, root)
            print(f"{len(debs)} packages unpacked, README's examples run with the libraries of this machine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
