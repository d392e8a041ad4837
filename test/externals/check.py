"""data/externals.toml does not contradict the headers, and a contradiction is found."""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(sys.argv[1]) / "data" / "from_headers.py"

# Wrong rows, and what is said of them.
WRONG = {
    'strcpy = "writes"': "'strcpy' has 2 arguments",
    'open = "reads, value"': "'open' has 2 arguments and more",
    'strcat = "reads-writes?, reads"': "'strcat' argument 0 must not be null, not 'reads-writes?'",
    'strncpy = "writes, writes, value"': "'strncpy' argument 1 is 'const char *",
    'read = "uses?, reads, value"': "'read' argument 1 has access write_only, not 'reads'",
    'close = "releases"': "'close' argument 0 is 'int __fd', so 'releases' must say that 0 will do",
    'qsort = "reads-writes, value, value, reads"': "'qsort' argument 3 is '__compar_fn_t __compar'",
    'free = "releases? -> 0"': "'free' has no result",
    'strlen = "reads -> null"': "'strlen' results in 'size_t', not 'null'",
    'getenv = "reads -> >=0"': "'getenv' results in 'char *', not '>=0'",
    'malloc = "value -> nonnull else null"': "'malloc' makes a fresh object",
    'exit = "value"': "'exit' does not return",
}


def run(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def main() -> int:
    shipped = run()
    if shipped.returncode == 77:
        return 77
    failures = 0
    if shipped.returncode != 0:
        print(shipped.stdout + shipped.stderr)
        failures += 1
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "wrong.toml"
        file.write_text("noreturn = []\n[names]\n[functions]\n" + "\n".join(WRONG) + "\n")
        wrong = run(str(file))
    for row, expected in WRONG.items():
        if f"wrong.toml: {expected}" not in wrong.stdout:
            print(f"{row}: not found: {expected}")
            failures += 1
    if wrong.returncode != 1:
        print(f"wrong rows: exit status {wrong.returncode}, expected 1\n{wrong.stderr}")
        failures += 1
    return 1 if failures else 0


sys.exit(main())
