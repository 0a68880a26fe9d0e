#!/usr/bin/env python3
"""A host of the Clock Protocol, with the standard library alone.

    clock.py http PORT | clock.py stdio | clock.py mcp
    [--defect NAME]    break one sentence of the text
    [--style NAME]     keep all of them in another way
"""

import argparse
import json
import sys
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

ZONES = [("UTC", 0), ("Asia/Kolkata", 330), ("America/St_Johns", -150), ("Europe/Paris", 120), ("Asia/Tokyo", 540),
         ("Pacific/Chatham", 765), ("America/New_York", -240)]

DEFECTS = ["unix-text", "unix-missing", "unix-fraction", "utc-missing", "utc-local", "utc-later", "backwards",
           "zone-unnamed", "zone-empty-name", "offset-text", "offset-hours", "zone-twice", "zone-on-two-pages",
           "unix-not-repeated", "zone-not-repeated", "local-utc", "local-late-zones", "callers-mixed", "unknown-as-utc",
           "unknown-other-code", "invalid-accepted", "invalid-other-code"]
STYLES = ["one-page", "one-zone-a-page", "more-members", "frozen", "slow", "messages-in-words", "empty-last-page"]


class Refusal(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class Clock:
    def __init__(self, defect, style):
        self.defect, self.style = defect, style
        self.lock, self.readings, self.last = threading.Lock(), 0, None

    def call(self, operation, params):
        """Returns the result of an operation, or raises Refusal."""
        if self.style == "slow":
            time.sleep(0.02)
        method = {"clock.now": self.now, "clock.zones": self.zones, "clock.convert": self.convert}.get(operation)
        if method is None:
            raise LookupError(operation)
        result = method(params if isinstance(params, dict) else {})
        if self.style == "more-members":
            result["x-host"] = {"name": "clock.py"}
        return result

    def now(self, _):
        with self.lock:
            self.readings += 1
            n = self.readings
        unix = 1790000000 if self.style == "frozen" else int(time.time())
        if self.defect == "backwards" and n == 4:
            unix -= 3600
        reading = {"unix": unix, "utc": stamp(unix) + "Z"}
        if self.defect == "unix-text":
            reading["unix"] = str(unix)
        if self.defect == "unix-missing":
            del reading["unix"]
        if self.defect == "unix-fraction":
            reading["unix"] = unix + 0.5
        if self.defect == "utc-missing":
            del reading["utc"]
        if self.defect == "utc-local":
            reading["utc"] = stamp(unix) + "+00:00"
        if self.defect == "utc-later" and n == 3:
            reading["utc"] = stamp(unix + 1) + "Z"
        return reading

    def zones(self, params):
        first = int(params.get("cursor") or 0)
        size = {"one-page": 100, "one-zone-a-page": 1}.get(self.style, 3)
        page = [{"name": name, "offset": offset} for name, offset in ZONES[first:first + size]]
        last = first + size >= len(ZONES)
        if self.style == "empty-last-page":
            last = not page
        if self.defect == "zone-unnamed" and last:
            del page[0]["name"]
        if self.defect == "zone-empty-name" and last:
            page[0]["name"] = ""
        if self.defect == "offset-text" and first == 3:
            page[0]["offset"] = "+02:00"
        if self.defect == "offset-hours" and first == 3:
            page[0]["offset"] = 1200
        if self.defect == "zone-twice" and first == 0:
            page.append(dict(page[0]))
        if self.defect == "zone-on-two-pages" and first == 3:
            page.insert(0, {"name": ZONES[2][0], "offset": ZONES[2][1]})
        return {"zones": page} if last else {"zones": page, "next": str(first + size)}

    def convert(self, params):
        unix, zone = params.get("unix"), params.get("zone")
        valid = type(unix) is int and 0 <= unix <= 4000000000 and isinstance(zone, str) and zone != ""
        if not valid and self.defect == "invalid-accepted":
            unix, zone = 0, "UTC"
        elif not valid:
            raise Refusal("UNKNOWN_ZONE" if self.defect == "invalid-other-code" else "INVALID_PARAMS",
                          "want unix, a whole number, and zone, a text")
        offset = dict(ZONES).get(zone)
        if offset is None and self.defect == "unknown-as-utc":
            offset = 0
        if offset is None:
            raise Refusal("NOT_FOUND" if self.defect == "unknown-other-code" else "UNKNOWN_ZONE", "no zone " + zone)
        if self.defect == "local-utc":
            offset = 0
        if self.defect == "local-late-zones" and zone == ZONES[-1][0]:
            offset += 60
        result = {"unix": unix, "zone": zone, "local": stamp(unix + offset * 60)}
        if self.defect == "unix-not-repeated":
            result["unix"] = int(time.time())
        if self.defect == "zone-not-repeated" and zone != "UTC":
            result["zone"] = zone.upper()
        if self.defect == "callers-mixed":
            self.last = result
            time.sleep(0.03)  # another caller may come in
            result = self.last
        return result

    def message(self, code, message):
        return "We are sorry: " + message if self.style == "messages-in-words" else message


def stamp(unix):
    return datetime.fromtimestamp(unix, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")


def serve_http(clock, port):
    routes = {("GET", "/now"): "clock.now", ("GET", "/zones"): "clock.zones", ("POST", "/convert"): "clock.convert"}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16  # header and body in one packet

        def do_GET(self):
            query = {name: values[0] for name, values in parse_qs(urlparse(self.path).query).items()}
            self.answer("GET", query)

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                self.answer("POST", json.loads(body))
            except ValueError:
                self.send(400, {"error": {"code": "INVALID_PARAMS", "message": "the body is not JSON"}})

        def answer(self, method, params):
            operation = routes.get((method, urlparse(self.path).path))
            if operation is None:
                self.send(404, {"error": {"code": "NOT_FOUND", "message": "no such path"}})
                return
            try:
                self.send(200, clock.call(operation, params))
            except Refusal as r:
                self.send(400, {"error": {"code": r.code, "message": clock.message(r.code, r.message)}})

        def send(self, status, value):
            text = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()


def serve_lines(clock, mcp):
    write = threading.Lock()

    def reply(message):
        with write:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    def answer(request):
        method, params = request.get("method"), request.get("params") or {}
        try:
            result = over_mcp(clock, method, params) if mcp else clock.call(method, params)
            reply({"jsonrpc": "2.0", "id": request["id"], "result": result})
        except Refusal as r:
            reply({"jsonrpc": "2.0", "id": request["id"], "error": {
                "code": -32000, "message": clock.message(r.code, r.message), "data": {"code": r.code}}})
        except LookupError:
            reply({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Method not found"}})

    for line in sys.stdin:
        if line.strip():
            try:
                request = json.loads(line)
            except ValueError:
                reply({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
                continue
            if not isinstance(request, dict):
                reply({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}})
            elif "id" in request:
                threading.Thread(target=answer, args=(request,)).start()


def over_mcp(clock, method, params):
    names = ["clock.now", "clock.zones", "clock.convert"]
    if method == "initialize":
        return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}},
                "serverInfo": {"name": "clock", "version": "1.0"}}
    if method == "tools/list":
        return {"tools": [{"name": n, "description": "Tells the time.", "inputSchema": {"type": "object"}} for n in names]}
    if method == "ping":
        return {}
    if method != "tools/call":
        raise LookupError(method)
    try:
        result = clock.call(params.get("name"), params.get("arguments"))
    except Refusal as r:
        error = {"error": {"code": r.code, "message": clock.message(r.code, r.message)}}
        return {"isError": True, "content": [{"type": "text", "text": json.dumps(error)}], "structuredContent": error}
    return {"content": [{"type": "text", "text": json.dumps(result)}], "structuredContent": result}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binding", choices=["http", "stdio", "mcp"])
    parser.add_argument("port", nargs="?", type=int, default=0)
    parser.add_argument("--defect", choices=DEFECTS)
    parser.add_argument("--style", choices=STYLES)
    args = parser.parse_args()
    clock = Clock(args.defect, args.style)
    if args.binding == "http":
        serve_http(clock, args.port)
    else:
        serve_lines(clock, args.binding == "mcp")


if __name__ == "__main__":
    main()
