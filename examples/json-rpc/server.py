"""A server of JSON-RPC 2.0 without methods that keeps every requirement.

    python3 server.py stdio
    python3 server.py http PORT
"""

import http.server
import json
import sys


def failure(code, message, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def is_request(message):
    return (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and isinstance(message.get("params", []), (list, dict))
        and (message.get("id") is None or type(message["id"]) in (str, int, float))
    )


def respond(message):
    """The response to one message, None for a notification."""
    if not is_request(message):
        return failure(-32600, "Invalid Request")
    if "id" not in message:
        return None
    return failure(-32601, "Method not found", message["id"])


def answer(text):
    """What is sent for a text, None for nothing."""
    try:
        message = json.loads(text)
    except ValueError:
        return failure(-32700, "Parse error")
    if isinstance(message, list) and message:
        responses = [respond(element) for element in message]
        return [r for r in responses if r] or None
    return respond(message)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        reply = answer(self.rfile.read(int(self.headers["Content-Length"])))
        body = b"" if reply is None else json.dumps(reply).encode()
        self.send_response(200 if body else 204)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main():
    if sys.argv[1:2] == ["http"]:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
    for line in sys.stdin:
        reply = answer(line)
        if reply is not None:
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
