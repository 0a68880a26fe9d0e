#!/usr/bin/env python3
"""A host of the Capability Host Protocol in Python, standard library only.

    python3 host.py --listen 127.0.0.1:0     serves HTTP; prints its URL first

With CHP_KEY in the environment, everything but /health wants it as X-CHP-Key.
"""

import argparse
import hmac
import json
import math
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from boundary import HOST_ID, Boundary, Malformed, Unknown
from offer import capabilities

LARGEST = 1 << 20  # bytes of a request
PIECE = 700  # bytes of a chunk


def finite(text):
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is beyond the numbers of this host")
    return number


def complaint(code, message, **more):
    return {**more, "error": {"hint": "see the protocol", "message": message, "code": code}}


class OverHTTP(BaseHTTPRequestHandler):
    """HTTP/1.0, a connection a request; discovery and replay are chunked, in HTTP/1.1."""

    disable_nagle_algorithm = True
    wbufsize = 1 << 16  # head and body leave together
    timeout = 30

    def do_GET(self):
        boundary, path = self.server.boundary, self.path.partition("?")[0]
        if path in ("/", "/health"):
            self.say(200, {"version": "0.2", "protocol": "chp", "host_version": "3.11", "mood": "fine", "host_id": HOST_ID, "status": "ok"})
        elif path == "/.well-known/chp-identity":
            self.say(200, {"assurance": "hash-chain"})
        elif not self.admitted():
            return
        elif path == "/host":
            self.say(200, boundary.host())
        elif path == "/capabilities":
            self.say(200, boundary.capabilities(), chunked=True)
        elif path.startswith("/replay/"):
            self.attempt(boundary.replay, {"correlation_id": unquote(path.removeprefix("/replay/"))}, chunked=True)
        elif path.startswith("/verify/"):
            self.say(200, boundary.verify(unquote(path.removeprefix("/verify/"))))
        elif path.startswith("/export/"):
            self.attempt(boundary.export, unquote(path.removeprefix("/export/")), chunked=True)
        elif path == "/metrics":
            self.say(200, "chp_example_up 1\n", kind="text/plain; version=0.0.4")
        else:
            self.say(404, complaint("not_found", "no such route"))

    def do_POST(self):
        body = self.body()
        if body is None or not self.admitted():
            return
        path = self.path.partition("?")[0]
        if path not in ("/invoke", "/replay"):
            self.say(404, complaint("not_found", "no such route"))
            return
        try:
            given = json.loads(body, parse_constant=finite, parse_float=finite)
        except (ValueError, RecursionError):
            self.say(400, complaint("malformed_json", "the body is no JSON that this host reads"))
            return
        boundary = self.server.boundary
        self.attempt(boundary.invoke if path == "/invoke" else boundary.replay, given, chunked=path == "/replay")

    def attempt(self, operation, given, chunked):
        try:
            self.say(200, operation(given), chunked)
        except Malformed as fault:
            self.say(400, complaint("malformed_request", str(fault)))
        except Unknown as fault:
            self.say(404, complaint("unknown_correlation", str(fault)))

    def admitted(self):
        """Whether the caller has the key and speaks a version of the host; it is told if not."""
        key, version = self.server.key, self.headers.get("X-CHP-Version")
        if key and not hmac.compare_digest(self.headers.get("X-CHP-Key", "").encode(), key.encode()):
            self.say(401, complaint("unauthorized", "X-CHP-Key is missing or wrong"))
            return False
        if version not in (None, "0.1", "0.2"):
            denial = {"supported": ["0.1", "0.2"], "requested": version, "retryable": False, "message": "another version", "code": "version_unsupported"}
            self.say(400, complaint("version_unsupported", "0.1 and 0.2 are spoken here", denial=denial))
            return False
        return True

    def body(self):
        """Gives the body, None if the caller was told that it is refused."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self.say(411, complaint("length_required", "Content-Length, please"))
            return None
        left = int(length)
        if left <= LARGEST:
            return self.rfile.read(left)
        while left > 0 and (piece := self.rfile.read(min(left, LARGEST))):  # else the answer is lost in a reset
            left -= len(piece)
        self.say(413, complaint("too_large", f"no more than {LARGEST} bytes"))
        return None

    def say(self, status, answer, chunked=False, kind="application/json; charset=utf-8"):
        text = answer.encode() if isinstance(answer, str) else json.dumps(answer, indent=1, sort_keys=True).encode() + b"\n"
        chunked = chunked and self.request_version == "HTTP/1.1"
        self.protocol_version = "HTTP/1.1" if chunked else "HTTP/1.0"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()  # without chunks, the end of the connection is the end of the answer
        if not chunked:
            self.wfile.write(text)
            return
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            self.wfile.write(b"%x;part=%d\r\n%s\r\n" % (len(piece), start // PIECE, piece))
        self.wfile.write(b"0\r\n\r\n")

    def send_error(self, code, message=None, explain=None):
        self.say(code, complaint("bad_request", message or "not understood"))

    def log_message(self, format, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, boundary, key):
        super().__init__(address, OverHTTP)
        self.boundary = boundary
        self.key = key


def main():
    options = argparse.ArgumentParser(description="A host of the Capability Host Protocol, over HTTP.")
    options.add_argument("--listen", metavar="ADDRESS", default="127.0.0.1:8899", help="serve at ADDRESS, such as 127.0.0.1:0")
    name, _, port = options.parse_args().listen.rpartition(":")
    with Server((name or "127.0.0.1", int(port)), Boundary(capabilities()), os.environ.get("CHP_KEY")) as server:
        print("http://%s:%d" % server.server_address[:2], flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main()
