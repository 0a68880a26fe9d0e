#!/usr/bin/env python3
"""A capability host in Python, standard library only.

    python3 host.py                          speaks JSON-RPC over stdin and stdout, a message a line
    python3 host.py --listen 127.0.0.1:0     speaks it over HTTP (POST /rpc); prints its URL first
"""

import argparse
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from offer import capabilities
from source import Source

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS, NOT_FOUND = -32700, -32600, -32601, -32602, 404


class Rejected(Exception):
    """A request that gets a JSON-RPC error."""

    def __init__(self, number, message, **data):
        super().__init__(message)
        self.error = {"message": message, "code": number}
        if data:
            self.error["data"] = data


def no_number(name):
    raise ValueError(f"{name} is no number of JSON")


class Host:
    """Answers JSON-RPC messages with the operations of one source."""

    def __init__(self, source):
        self.source = source
        self.operations = {
            "capability.list": self.list,
            "capability.describe": self.describe,
            "capability.invoke": self.invoke,
        }

    def list(self, _params):
        return {"capabilities": self.source.manifests()}

    def describe(self, params):
        capability = self.source.find(params.get("capability_id"), params.get("version"))
        if capability is None:
            raise Rejected(NOT_FOUND, "no such capability", code="NOT_FOUND")
        return capability.manifest

    def invoke(self, params):
        return self.source.invoke(params.get("ref"), params.get("input"))

    def answer(self, text):
        """Gives the reply to a message, None where none is owed."""
        reply = {"id": None}
        try:
            request = self.read(text)
            reply["id"] = request.get("id")
            if "method" not in request or "id" not in request:
                return None  # an answer or a notification
            reply["result"] = self.perform(request)
        except Rejected as rejected:
            reply["error"] = rejected.error
        reply["jsonrpc"] = "2.0"
        return json.dumps(reply)

    @staticmethod
    def read(text):
        try:
            request = json.loads(text, parse_constant=no_number)
        except (ValueError, RecursionError) as failure:
            raise Rejected(PARSE_ERROR, f"no JSON: {failure}") from None
        if not isinstance(request, dict):
            raise Rejected(INVALID_REQUEST, "one object a message")
        return request

    def perform(self, request):
        operation = self.operations.get(request["method"]) if isinstance(request["method"], str) else None
        if operation is None:
            raise Rejected(UNKNOWN_METHOD, "unknown method")
        params = request.get("params", {})
        if not isinstance(params, dict):
            raise Rejected(INVALID_PARAMS, "params is an object")
        return operation(params)


def serve_stdio(host):
    """Each line is answered by a thread of its own, so that a slow one keeps nobody waiting."""
    writing = threading.Lock()

    def say(line):
        with writing:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    def reply(line):
        answer = host.answer(line)
        if answer is not None:
            say(answer)

    say(json.dumps({"method": "example.ready", "params": {}, "jsonrpc": "2.0"}))
    replies = []
    for line in sys.stdin.buffer:
        if line.strip():
            replies = [r for r in replies if r.is_alive()]
            replies.append(threading.Thread(target=reply, args=(line,)))
            replies[-1].start()
    for last in replies:
        last.join()


class OverHTTP(BaseHTTPRequestHandler):
    """POST /rpc, a message a request."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else head and body of an answer leave 40 ms apart
    wbufsize = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.partition("?")[0] != "/rpc":
            self.send(404, b"")
            return
        answer = self.server.host.answer(body)
        self.send(200 if answer else 202, (answer or "").encode())

    def do_GET(self):
        self.send(405 if self.path == "/rpc" else 404, b"")

    def send(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, host):
        super().__init__(address, OverHTTP)
        self.host = host


def serve_http(host, address):
    name, _, port = address.rpartition(":")
    with Server((name or "127.0.0.1", int(port)), host) as server:
        print("http://%s:%d" % server.server_address[:2], flush=True)
        server.serve_forever()


def main():
    options = argparse.ArgumentParser(description="A capability host, over stdio or HTTP.")
    options.add_argument("--listen", metavar="ADDRESS", help="serve HTTP at ADDRESS, such as 127.0.0.1:0")
    chosen = options.parse_args()
    host = Host(Source(capabilities()))
    try:
        serve_http(host, chosen.listen) if chosen.listen else serve_stdio(host)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
