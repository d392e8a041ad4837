"""Processes with limits of time and memory, that end with all that they started."""

import dataclasses
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time

RUNNING = set()  # leaders of process groups
ENDING = threading.Event()
LOCK = threading.Lock()


@dataclasses.dataclass
class Ended:
    status: int
    seconds: float
    megabytes: int  # of the largest process
    timed_out: bool


def end_group(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all():
    """Before the end of the program: what is ended so is not told to those who wait for it, who would take it for a fault."""
    ENDING.set()
    with LOCK:
        for leader in RUNNING:
            end_group(leader)


def run(command, cwd, stdout, stderr, seconds, megabytes, environment=None):
    """The process and its children get `megabytes` of address space each; after `seconds` all of them are ended."""
    def limit():
        size = megabytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    began = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                               env={**os.environ, **(environment or {})}, start_new_session=True, preexec_fn=limit)
    with LOCK:
        RUNNING.add(process.pid)
    expired = threading.Event()

    def expire():
        expired.set()
        end_group(process.pid)

    timer = threading.Timer(seconds, expire)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    if ENDING.is_set():
        threading.Event().wait()  # for the end
    process.returncode = os.waitstatus_to_exitcode(status)
    end_group(process.pid)  # what it left behind
    with LOCK:
        RUNNING.discard(process.pid)
    return Ended(process.returncode, time.monotonic() - began, usage.ru_maxrss >> 10, expired.is_set())


def last_error(log):
    """The first line of the end of a log that tells what is wrong; else its last line."""
    lines = [line.strip() for line in pathlib.Path(log).read_bytes().decode(errors="replace").split("\n") if line.strip()]
    lines = [line for line in lines[-200:] if not line.startswith("$ ")]
    marks = (" error:", "error: ", "fatal error", "undefined reference", "No such file", "not found", "out of memory", "E: ")
    for line in lines:
        if any(mark in line for mark in marks):
            return line[:160]
    return lines[-1][:160] if lines else ""
