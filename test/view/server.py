#!/usr/bin/env python3
"""Asks `nestor serve` what it should answer and what it should refuse, many times over.

usage: server.py NESTOR SOURCE-ROOT

Skipped where Nestor was built without its server.
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

SKIPPED = 77
QUESTIONS = 1000
PATIENCE = 120  # seconds for what must come; a machine may be busy
BOUNDARY = "nestor-boundary"
FORMULAS = ["EF done", "AF done", "AG (locked -> AF unlocked)", "EG !unlocked", "EF (locked & EX unlocked)"]


class Failed(Exception):
    pass


def expect(what, found, wanted):
    if found != wanted:
        raise Failed(f"{what}: found {found!r}, expected {wanted!r}")


def form(fields):
    parts = [f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n" for name, text in fields.items()]
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()


class Server:
    def __init__(self, nestor, root, *arguments):
        self.process = subprocess.Popen([nestor, "serve", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, cwd=root)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        if not found:
            self.error = self.process.communicate()[1]
            self.process.wait()
            raise Failed(f"no address: {self.address!r} {self.error}")
        self.port, self.token = int(found[1]), found[2]

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace"), response
        finally:
            connection.close()

    def ask(self, **fields):
        status, body, _ = self.request("POST", f"/{self.token}/ask", form(fields),
                                       {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
        return status, json.loads(body)

    def raw(self, data):
        """Sends bytes that need not be HTTP; whatever comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                found = b""
                while piece := connection.recv(65536):
                    found += piece
                return found
            except OSError:
                return b""

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        expect("exit status", self.process.wait(timeout=PATIENCE), 0)


def verdicts(answer):
    return [result["verdict"] for result in answer["check"]["results"]]


def test_many(server, nestor, root):
    """1000 questions, two at a time: each has the verdict that `nestor check` gives."""
    done = subprocess.run([nestor, "check", "examples/recursion.rsm", *(f"--formula={f}" for f in FORMULAS), "--json", "--witness"],
                          capture_output=True, text=True, check=False, cwd=root)
    known = [(result["verdict"], result["witness"]) for result in json.loads(done.stdout)["results"]]

    def one(i):
        status, answer = server.ask(formula=FORMULAS[i % len(FORMULAS)])
        result = answer["check"]["results"][0]
        return status == 200 and (result["verdict"], result["witness"]) == known[i % len(FORMULAS)]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        right = list(pool.map(one, range(QUESTIONS)))
    expect("right answers", right.count(True), QUESTIONS)


def test_texts(server):
    """Models that are sent along, with mistakes at their places."""
    smv = "MODULE main\nVAR\n  x : 0..3;\nASSIGN\n  init(x) := 0;\n  next(x) := (x + 1) mod 4;\nCTLSPEC AF x = 3\n"
    status, answer = server.ask(formula="EF x = 2\nAG x < 3", model=smv, format="smv")
    expect("a text", (status, verdicts(answer)), (200, ["holds", "fails"]))
    expect("its states", answer["model"]["nodes"], 4)
    status, answer = server.ask(formula="", model=smv, format="smv")
    expect("its own property", (status, verdicts(answer)), (200, ["holds"]))
    status, answer = server.ask(formula="EF x =", model=smv, format="smv")
    expect("a formula that is broken", (status, answer["error"]["file"], answer["error"]["line"]), (400, "<formula>", 1))
    status, answer = server.ask(formula="EF x = 1", model=smv.replace("0..3", "0.."), format="smv")
    expect("a model that is broken", (status, answer["error"]["file"], answer["error"]["line"]), (400, "<model>", 3))
    status, answer = server.ask(formula="EF p", model="\x00\xff{", format="rsm")
    expect("no model at all", status, 400)
    for name in ("no-such-format", "llvm", "../../etc/passwd"):
        expect(f"format {name}", server.ask(formula="EF p", model="x", format=name)[0], 400)
    # A file that a model names is not read.
    status, answer = server.ask(formula="EF x = 1", model='#include "/etc/passwd"\n#place p\n', format="prod")
    expect("a file that is included", (status, "root:" in json.dumps(answer)), (400, False))


def test_limits(nestor, root):
    """A question that needs too much is unknown, and the next one is answered."""
    server = Server(nestor, root, "--max-states=50")
    wide = "MODULE main\nVAR\n" + "".join(f"  x{i} : boolean;\n" for i in range(40))
    status, answer = server.ask(formula="EF x0 & AG EF x1", model=wide, format="smv")
    expect("too many states", (status, verdicts(answer)), (200, ["unknown"]))
    status, answer = server.ask(formula="AG TRUE", model="MODULE main\nVAR\n  x : boolean;\n", format="smv")
    expect("the next one", (status, verdicts(answer)), (200, ["holds"]))
    expect("without a model", server.ask(formula="EF p")[0], 400)
    server.stop(signal.SIGINT)
    server = Server(nestor, root, "--memory=100", "--max-states=1000000000", "--timeout=1000")
    large = "MODULE main\nVAR\n" + "".join(f"  {x} : 0..200;\n" for x in "abcde") + "INIT " + " & ".join(f"{x} = 0" for x in "abcde")
    for _ in range(2):
        status, answer = server.ask(formula="AG (EF a = 200 & EF b = 3)", model=large, format="smv")
        reasons = [result.get("reason", "") for result in answer["check"]["results"]]
        expect("too much memory", (status, verdicts(answer), reasons[0][:6]), (200, ["unknown"], "memory"))
        status, answer = server.ask(formula="AG TRUE", model="MODULE main\nVAR\n  x : boolean;\n", format="smv")
        expect("enough memory again", (status, verdicts(answer)), (200, ["holds"]))
    server.stop(signal.SIGINT)


def test_refusals(server):
    token = server.token
    expect("the page", server.request("GET", f"/{token}/")[0], 200)
    wrong = ("0" if token[0] != "0" else "1") + token[1:]
    for path in ("/", "/ask", f"/{wrong}/", f"/{wrong}/ask", f"/{token[:-1]}/", "/favicon.ico", "//", f"/x/{token}/",
                 "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"):
        expect(f"no token: {path}", server.request("GET", path)[0], 403)
    for path in ("/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "/examples/recursion.rsm", "//etc/passwd", "/ask/..",
                 "/%00", "/" + "a" * 4000):
        status, body, _ = server.request("GET", f"/{token}{path}")
        expect(f"nothing is read: {path[:40]}", (status in (400, 403, 404), "root:" in body), (True, False))
    port = server.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", f"127.0.0.1:{port}.evil.example"):
        expect(f"host {host!r}", server.request("GET", f"/{token}/", headers={"Host": host})[0], 403)
    expect("localhost", server.request("GET", f"/{token}/", headers={"Host": f"localhost:{port}"})[0], 200)
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.example"):
        expect(f"origin {origin}", server.request("POST", f"/{token}/ask", b"", {"Origin": origin})[0], 403)
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        status = server.request(method, f"/{token}/ask")[0]
        expect(f"{method} is refused", status >= 400, True)
    _, page, response = server.request("GET", f"/{token}/")
    expect("headers", (response.getheader("X-Content-Type-Options"), response.getheader("Cache-Control")), ("nosniff", "no-store"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    expect("policy", (policy.startswith("default-src 'none'"), "unsafe" in policy, "http" in policy), (True, False, False))


def test_nonsense(server):
    token, port = server.token, server.port
    line = f"POST /{token}/ask HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    large = b"x" * 2_000_000
    status, _, _ = server.request("POST", f"/{token}/ask", form({"formula": "EF " + "(" * 400_000}),
                                  {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
    expect("a formula that is too deep", status, 400)
    try:
        status = server.request("POST", f"/{token}/ask", large, {"Content-Type": "text/plain"})[0]
    except OSError:  # it may close the connection before all is sent
        status = 413
    expect("a request that is too large", status, 413)
    for data in (b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 1000, large, os.urandom(4096),
                 f"GET /{token}/ HTTP/9.9\r\n\r\n".encode(), f"GET /{'a' * 100_000} HTTP/1.1\r\n\r\n".encode(),
                 (line + "Content-Length: -1\r\n\r\n").encode(), (line + "Content-Length: 99999999999999999999\r\n\r\n").encode(),
                 (line + "Content-Length: 10\r\n\r\nabc").encode(),
                 (line + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n").encode(),
                 (line + f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: 4\r\n\r\n--ab").encode(),
                 (line + "Content-Type: multipart/form-data\r\nContent-Length: 4\r\n\r\n----").encode(),
                 (line + "X: " + "y" * 100_000 + "\r\n\r\n").encode()):
        server.raw(data)
        expect("it still answers", server.request("GET", f"/{token}/")[0], 200)
    # Many fields, empty fields, fields of other names.
    expect("other fields", server.ask(**{f"field{i}": "x" for i in range(500)})[0], 400)
    expect("no formula", server.ask(formula="  \n# nothing\n")[0], 400)
    expect("too many formulas", server.ask(formula="EF done\n" * 5000)[0], 400)
    expect("an unknown atom is no error", server.ask(formula="EF no_such_label")[0], 200)
    expect("deep, but within reason", server.ask(formula="EF " * 2000 + "done")[0], 200)


def test_stop(nestor, root):
    """Also while it works: SIGTERM ends it, with status 0 and nothing on stderr."""
    server = Server(nestor, root, "--timeout=1000", "--max-states=100000000")
    wide = "MODULE main\nVAR\n" + "".join(f"  x{i} : 0..9;\n" for i in range(12))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = pool.submit(server.ask, formula="AG EF x1 = 3", model=wide, format="smv")
        # It is at work once the connection is taken: another request is answered beside it.
        expect("beside it", server.request("GET", f"/{server.token}/")[0], 200)
        server.stop()
        expect("stderr", server.process.stderr.read(), "")
        try:
            asked.result(timeout=PATIENCE)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            pass
    with socket.socket() as connection:
        expect("nobody listens", connection.connect_ex(("127.0.0.1", server.port)) != 0, True)


def test_usage(nestor, root):
    with tempfile.TemporaryDirectory() as folder:
        broken = pathlib.Path(folder) / "broken.rsm"
        broken.write_text("{", encoding="utf-8")
        for arguments, pattern in ((["--port=70000"], "no port 70000"), ([str(broken)], r"broken\.rsm:1:\d+: error"),
                                   (["--listen=256.1.1.1"], "cannot listen"), (["examples/recursion.rsm", "-f", "EF ("], "<formula>:1:5: error")):
            done = subprocess.run([nestor, "serve", *arguments], capture_output=True, text=True, check=False, cwd=root, timeout=PATIENCE)
            expect(f"{arguments}", (done.returncode, bool(re.search(pattern, done.stderr)), done.stdout), (2, True, ""))


def main():
    nestor, root = sys.argv[1], sys.argv[2]
    try:
        server = Server(nestor, root, "examples/recursion.rsm", "examples/recursion.ctl")
    except Failed as failed:
        if "built without its server" in str(failed):
            print("built without its server: libcpp-httplib-dev was missing")
            return SKIPPED
        raise
    problems = 0
    tests = [lambda: test_refusals(server), lambda: test_texts(server), lambda: test_nonsense(server),
             lambda: test_many(server, nestor, root), server.stop, lambda: test_limits(nestor, root),
             lambda: test_stop(nestor, root), lambda: test_usage(nestor, root)]
    for test in tests:
        try:
            test()
        except Failed as failed:
            print(failed)
            problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
