"""Everything that the router talks to, by HTTP."""

import json
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 15  # seconds
LARGEST = 8 << 20  # bytes of an answer


class Unserved(Exception):
    """A service did not do what it was asked for."""


class Elsewhere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), Elsewhere)


def send(method, url, body=None, headers=None):
    """Gives the answer's body, and its headers."""
    headers = {"Content-Type": "application/json", **(headers or {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers if body is not None else {}, method=method)
    try:
        with OPENER.open(request, timeout=PATIENCE) as answer:
            return answer.read(LARGEST), answer.headers
    except urllib.error.HTTPError as answer:
        with answer:
            raise Unserved(f"{method} gave {answer.code}") from None
    except (OSError, ValueError) as fault:
        raise Unserved(f"{method} failed: {fault}") from None


def fetch(url):
    return send("GET", url)[0]


def post(url, body):
    return json.loads(send("POST", url, body)[0])


def rpc(url, method, params):
    """Calls a JSON-RPC operation; an error of it is Unserved."""
    answer = post(url, {"jsonrpc": "2.0", "id": "p", "method": method, "params": params})
    if "result" not in answer:
        raise Unserved(f"{method}: {(answer.get('error') or {}).get('message')}")
    return answer["result"]


def execute(binding, arguments, services):
    """Executes a tool as its binding says, and gives what came of it as text or as JSON."""
    kind = binding.get("type")
    if kind == "http_get":
        url = binding["url"]
        query = urllib.parse.urlencode({name: value if isinstance(value, str) else json.dumps(value) for name, value in arguments.items()})
        return told(fetch(url + ("&" if "?" in url else "?") + query))
    if kind == "http_post":
        return told(send("POST", binding["url"], arguments)[0])
    if kind == "nuwa_a2a":
        agent = binding["target_did"]
        for name, value in arguments.items():
            agent = agent.replace("{" + name + "}", str(value))
        if agent not in services:
            raise Unserved(f"nobody knows {agent}")
        return told(send("POST", services[agent], {"method": binding["service_method"], "params": arguments})[0])
    if kind == "mcp_service":
        if binding["service_uri"] not in services:
            raise Unserved(f"nobody knows {binding['service_uri']}")
        return Service(services[binding["service_uri"]]).call(binding["mcp_action"], arguments)
    raise Unserved(f"bindings of type {kind} are not supported")


def told(body):
    text = body.decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


class Service:
    """One session with an MCP server over streamable HTTP."""

    VERSION = "2025-06-18"

    def __init__(self, url):
        self._url = url
        self._headers = {"Accept": "application/json, text/event-stream"}
        begun = self._ask(1, "initialize", {"protocolVersion": self.VERSION, "capabilities": {}, "clientInfo": {"name": "python-acp", "version": "1"}})
        self._headers["MCP-Protocol-Version"] = begun.get("protocolVersion", self.VERSION)
        send("POST", url, {"jsonrpc": "2.0", "method": "notifications/initialized"}, self._headers)

    def call(self, action, arguments):
        result = self._ask(2, "tools/call", {"name": action, "arguments": arguments})
        text = next((block["text"] for block in result.get("content") or () if block.get("type") == "text"), "")
        if result.get("isError"):
            raise Unserved(f"the service says: {text}")
        return result.get("structuredContent") or told(text.encode())

    def _ask(self, number, method, params):
        body, headers = send("POST", self._url, {"jsonrpc": "2.0", "id": number, "method": method, "params": params}, self._headers)
        if headers.get("Mcp-Session-Id"):
            self._headers["Mcp-Session-Id"] = headers["Mcp-Session-Id"]
        text = body.decode()
        if headers.get_content_type() == "text/event-stream":
            events = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
            text = next((e for e in events if json.loads(e).get("id") == number), "{}")
        answer = json.loads(text)
        if "result" not in answer:
            raise Unserved(f"{method}: {(answer.get('error') or {}).get('message')}")
        return answer["result"]
