#!/usr/bin/env python3
"""Holds data/externals.toml against the headers of the C library.

    from_headers.py            what the headers contradict; exit status 1 if there is something
    from_headers.py --rows     rows for functions that the file does not have, for you to complete

The headers know the types, and in attributes which arguments must not be null, are read or
written, which results are fresh memory or never null. Exit status 77: no clang-19, or no Python
with tomllib.
"""

import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

try:
    import tomllib
except ImportError:
    sys.exit(77)

HEADERS = """
    aio argz arpa/inet assert crypt ctype dirent dlfcn err errno error execinfo fcntl fenv
    fnmatch ftw fts getopt glob grp iconv ifaddrs inttypes langinfo libgen libintl link locale
    malloc math mntent monetary mqueue net/if netdb netinet/in nl_types poll pthread pty pwd
    regex sched search semaphore setjmp shadow signal spawn stdio stdio_ext stdlib string
    strings sys/acct sys/auxv sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl sys/mman
    sys/mount sys/msg sys/prctl sys/ptrace sys/random sys/reboot sys/resource sys/select sys/sem
    sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statfs sys/statvfs sys/sysinfo
    sys/syscall sys/time sys/timerfd sys/times sys/timex sys/types sys/uio sys/utsname sys/wait
    sys/xattr syslog termios threads time uchar ucontext unistd utime utmp wchar wctype wordexp
    zlib openssl/ssl openssl/evp openssl/bn openssl/rand openssl/err openssl/crypto
""".split()

# The attribute `access` is there only for a compiler that calls itself GCC 10 or later.
COMPILER = ["clang-19", "-fgnuc-version=12.0", "-D_GNU_SOURCE", "-E", "-P", "-x", "c", "-"]

# Types that are or hide a pointer to a function, and types that hide something else, of which
# nothing is said.
FUNCTION = re.compile(r"\(\s*\*|_fn_t|_func_t|handler_t|_dtor_t|_start_t")
HIDDEN = re.compile(
    r"va_list|SOCKADDR_ARG|(iconv|locale|timer|wctrans)_t|nl_catd|jmp_buf|sigval|gzFile|z_streamp|voidp")

WRITING = {"writes", "reads-writes", "makes", "initialises", "grows"}
CALLING = {"calls", "calls-later", "starts"}


@dataclass
class Declaration:
    result: str
    arguments: list[str]
    variadic: bool = False
    nonnull: set[int] = field(default_factory=set)
    access: dict[int, str] = field(default_factory=dict)
    attributes: set[str] = field(default_factory=set)


def pieces(text: str, separator: str) -> list[str]:
    """Split where no bracket is open."""
    found, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    return [*found, text[start:].strip()]


def closing(text: str, start: int) -> int:
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def declaration(text: str) -> tuple[str, Declaration] | None:
    """Of `extern RESULT NAME (ARGUMENTS) ATTRIBUTES`."""
    attributes = []
    while (at := re.search(r"__attribute__\s*\(|__asm__\s*\(", text)) is not None:
        end = closing(text, at.end() - 1)
        attributes.append(text[at.end():end])
        text = text[:at.start()] + text[end + 1:]
    match = re.match(
        r"(?:extern|static|inline|__extension__|_Noreturn|\s)*(.*?)\b(\w+)\s*\(", text, re.S)
    if match is None or "typedef" in text or match[1].strip() in ("", "struct", "union", "enum"):
        return None
    inside = text[match.end():closing(text, match.end() - 1)]
    if inside.startswith("*"):
        return None  # a function that returns a function's address, like signal
    arguments = [] if inside.strip() in ("void", "") else pieces(inside, ",")
    known = Declaration(match[1].strip(), arguments)
    if arguments and arguments[-1] == "...":
        known.variadic = True
        arguments.pop()
    if "_Noreturn" in text:
        known.attributes.add("noreturn")
    listed = ",".join(a.strip()[1:-1] for a in attributes if a.strip().startswith("("))
    for attribute in pieces(listed, ","):
        name = re.match(r"\w*", attribute)[0].strip("_")
        numbers = [int(n) - 1 for n in re.findall(r"\d+", attribute[len(name):])]
        known.attributes.add(name)
        if name == "nonnull":
            known.nonnull.update(numbers or (i for i, a in enumerate(arguments) if is_pointer(a)))
        elif name == "access":
            kind = re.search(r"read_only|write_only|read_write|none", attribute)[0]
            known.access[numbers[0]] = kind
    return match[2], known


def is_pointer(kind: str) -> bool:
    return "*" in kind or "[" in kind or FUNCTION.search(kind) is not None


def declarations() -> dict[str, Declaration]:
    source = "".join(f"#if __has_include(<{h}.h>)\n#include <{h}.h>\n#endif\n" for h in HEADERS)
    text = subprocess.run(COMPILER, input=source, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    found: dict[str, Declaration] = {}
    for part in pieces(re.sub(r"\n\s*\{", ";{", text), ";"):
        one = declaration(part)
        if one is None:
            continue
        name, known = one
        if name in found:  # declared twice: both are right
            known.nonnull |= found[name].nonnull
            known.access |= found[name].access
            known.attributes |= found[name].attributes
        found[name] = known
    return found


@dataclass
class Row:
    arguments: list[str]
    others: str | None
    results: list[str]
    fresh: bool


def row(text: str) -> Row:
    signature, *remarks = [part.strip() for part in text.split(";")]
    before, _, after = signature.partition("->")
    arguments = [a.strip() for a in before.split(",")] if before.strip() else []
    others = arguments.pop()[:-3] if arguments and arguments[-1].endswith("...") else None
    results = [r.strip() for r in after.split(" else ")] if after else []
    return Row(arguments, others, results, any(r.startswith("fresh") for r in remarks))


def argument_faults(known: Declaration, i: int, text: str) -> list[str]:
    kind, use = known.arguments[i], text.rstrip("?")
    faults = []
    if use == "unknown" or (HIDDEN.search(kind) and "*" not in kind):
        return []
    if (FUNCTION.search(kind) is not None) != (use in CALLING):
        faults.append(f"is '{kind}', not '{use}'")
    if not is_pointer(kind) and use != "value" and not text.endswith("?"):
        faults.append(f"is '{kind}', so '{use}' must say that 0 will do")
    if not is_pointer(kind) and use in WRITING | {"reads"}:
        faults.append(f"is '{kind}', not '{use}'")
    if i in known.nonnull and (text.endswith("?") or use == "value"):
        faults.append(f"must not be null, not '{text}'")
    if re.match(r"const\b[^*(]*\*[^*]*$", kind) and use in WRITING:
        faults.append(f"is '{kind}', not '{use}'")
    allowed = {
        "none": {"value", "uses", "keeps"},
        "read_only": {"reads", "uses", "keeps"},
        "write_only": WRITING | {"keeps"},
        "read_write": WRITING | {"keeps", "uses"},
    }.get(known.access.get(i, ""), {use})
    if use not in allowed:
        faults.append(f"has access {known.access[i]}, not '{use}'")
    return faults


def faults_of(name: str, known: Declaration, said: Row, noreturn: bool) -> list[str]:
    if len(known.arguments) != len(said.arguments) or known.variadic != (said.others is not None):
        return [f"has {len(known.arguments)} arguments{' and more' if known.variadic else ''}"]
    faults = [
        f"argument {i} {fault}"
        for i, text in enumerate(said.arguments)
        for fault in argument_faults(known, i, text)
    ]
    pointer = is_pointer(known.result)
    for result in said.results:
        if known.result == "void":
            faults.append("has no result")
        elif HIDDEN.search(known.result) or result == "none":
            continue
        elif pointer != bool(re.match(r"null|nonnull|argument|inside", result)) and not (
            (pointer and result == "-1") or (not pointer and result.startswith("argument"))
        ):
            faults.append(f"results in '{known.result}', not '{result}'")
    if "malloc" in known.attributes and not said.fresh:
        faults.append("makes a fresh object")
    if "returns_nonnull" in known.attributes and len(said.results) > 1:
        faults.append("never returns null")
    if "noreturn" in known.attributes and not noreturn and "longjmp" not in name:
        faults.append("does not return")
    return faults


def new_row(name: str, known: Declaration) -> str:
    uses = []
    for i, kind in enumerate(known.arguments):
        pointer = is_pointer(kind) or HIDDEN.search(kind)
        use = {"read_only": "reads", "write_only": "writes", "read_write": "reads-writes"}.get(
            known.access.get(i, ""), "unknown" if pointer else "value")
        may_be_null = use not in ("unknown", "value") and i not in known.nonnull
        uses.append(use + ("?" if may_be_null else ""))
    uses += ["unknown..."] if known.variadic else []
    result = ""
    if "returns_nonnull" in known.attributes:
        result = " -> nonnull"
    elif "malloc" in known.attributes:
        result = " -> nonnull else null; fresh malloc"
    return f'{name} = "{(", ".join(uses) + result).strip()}"'


def main() -> int:
    if shutil.which(COMPILER[0]) is None:
        print("no clang-19")
        return 77
    paths = [a for a in sys.argv[1:] if not a.startswith("-")]
    path = pathlib.Path(paths[0]) if paths else pathlib.Path(__file__).with_name("externals.toml")
    model = tomllib.loads(path.read_text())
    known = declarations()
    if "--rows" in sys.argv:
        for name in sorted(known.keys() - model["functions"].keys() - model["names"].keys()):
            if not name.startswith("__") and not name.endswith(("64", "_l", "_unlocked")):
                print(new_row(name, known[name]))
        return 0
    faults = 0
    for name, text in model["functions"].items():
        if name in known:
            for fault in faults_of(name, known[name], row(text), name in model["noreturn"]):
                print(f"{path.name}: '{name}' {fault}")
                faults += 1
    compared = len(model["functions"].keys() & known.keys())
    print(f"{compared} of {len(model['functions'])} functions compared, {faults} contradictions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
