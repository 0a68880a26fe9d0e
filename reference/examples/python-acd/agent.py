"""An agent of ACD in Python, spoken to over stdin and stdout: one JSON-RPC message a line.

Written from suites/acd/ADAPTER.md alone.
"""

import json
import sys
import threading
import urllib.request

import capabilities
from registry import LEGACY, Refused, Registry, enabled, modes

CHANNELS = {
    "cli": {"adapter": "cap.cli.adapter", "modes": ["direct", "command", "message", "ui_action"]},
    "page": {"adapter": "cap.page.adapter", "modes": ["ui_action"]},
}


def permitted(entry, held):
    allowed = entry["permissions"]
    return allowed.get("granted_by_default") or set(allowed.get("required") or []) <= held


class Agent:
    """Safe to be used by several threads at once."""

    def __init__(self):
        self.registry = Registry(capabilities.offer(), self.consent)
        self.model, self.calls, self.ran, self.records = None, 0, [], []
        self.code = {
            "conformance.echo": lambda given: {"message": given["message"]},
            "conformance.shell": capabilities.run_script,
            "cap.identify": lambda _: {"agent_id": self.manifest({})["agent_id"]},
            "cap.send_umf": lambda given: {"taken": given},
            "cap.capability.list": lambda _: {"ids": [e["capability_id"] for e in self.registry.all()]},
            "capability.create": lambda given: self.registry.create(given["descriptor"]),
            "capability.enable": lambda given: self.registry.edit(given["capability_id"], lambda e: e.setdefault("status", {}).update(enabled=True)),
            "capability.bind": self.bind,
        }

    # The engine.

    def invoke(self, params):
        entry = self.registry.get(params["capability_id"])
        if entry is None or not enabled(entry) or params["mode"] not in modes(entry):
            raise Refused("not here, not now, or not so")
        held = set(params["principal"]["permissions"])
        if not permitted(entry, held):
            raise Refused("a permission is missing")
        channel = params.get("channel")
        if channel and (entry["capability_id"] not in self.shown(channel) or params["mode"] not in CHANNELS[channel]["modes"]):
            raise Refused("the channel does not show it")
        return {"output": self.between_hooks(entry, params.get("input") or {}, held)}

    def between_hooks(self, entry, given, held):
        hooks = (entry.get("lifecycle") or {}).get("hooks") or {}
        for hook in hooks.get("pre_invoke") or []:
            self.run_hook(hook, given, held)
        output = None
        try:
            output = self.run(entry, given)
        except Exception as reason:
            for hook in hooks.get("on_error") or []:
                self.run_hook(hook, given, held)
            raise Refused("it failed: %s" % reason)
        finally:
            self.record(entry, given, output)
        for hook in hooks.get("post_invoke") or []:
            self.run_hook(hook, given, held)
        return output

    def run(self, entry, given):
        substrate, entry_point = entry["execution"]["substrate"], entry["execution"].get("entrypoint")
        self.ran.append({"capability_id": entry["capability_id"], "substrate": substrate})
        if entry_point == "conformance.fail":
            raise ValueError("it always does")
        return self.code.get(entry_point, lambda _: {"by": substrate})(given)

    def run_hook(self, capability_id, given, held):
        entry = self.registry.get(capability_id)
        if entry is not None and enabled(entry) and permitted(entry, held):
            try:
                self.run(entry, given)
            except Exception:
                pass  # a hook that fails leaves the call as it is

    def record(self, entry, given, output):
        audit = entry.get("audit") or {}
        if audit.get("log_invocation") is not False:
            kept = {"capability_id": entry["capability_id"], "by": "python"}
            if audit.get("log_inputs"):
                kept["input"] = given
            if audit.get("log_outputs"):
                kept["output"] = output
            self.records.append(kept)

    def bind(self, given):
        return self.registry.edit(given["capability_id"], lambda e: e["invocation"].setdefault("command_aliases", []).append(given["command_alias"]))

    # The language model.

    def configure(self, params):
        self.model = params.get("llm")
        return {}

    def consent(self, descriptor):
        if not self.model:
            raise Refused("nobody to ask")
        asked = {"model": "gpt-4", "messages": [{"role": "user", "content": "May this be created? " + json.dumps(descriptor)}]}
        request = urllib.request.Request(self.model + "/chat/completions", json.dumps(asked).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                json.load(answer)["choices"][0]
        except (OSError, ValueError, LookupError):
            raise Refused("no consent")
        self.calls += 1

    # Channels, manifest and documentation: views of the registry.

    def shown(self, channel):
        if channel not in CHANNELS:
            raise Refused("no such channel")
        own = CHANNELS[channel]
        return [own["adapter"]] + [
            e["capability_id"] for e in self.registry.query({"enabled": True})
            if e["exposure"]["scope"] in ("human", "public") and e["execution"]["substrate"] != "shell" and set(modes(e)) & set(own["modes"])
            and channel in (e["exposure"].get("channels") or [channel])
        ]

    def project(self, params):
        channel, capability_id = params["channel_id"], params["capability_id"]
        if capability_id not in self.shown(channel):
            raise Refused("the channel does not show it")
        name = self.registry.get(capability_id)["name"]
        return {"capability_id": capability_id, "rendering": "? " + name if channel == "cli" else "[" + name + "]"}

    def manifest(self, _):
        return {
            "motto": "in order", "version": "3.1.0", "name": "Exemplar in Python for IEEE 3394", "agent_id": "urn:agent:python:exemplar",
            "channels": [{"capabilities": self.shown(c), "channel_id": c, "title": c.upper()} for c in CHANNELS],
            "capabilities": {"list": [e["capability_id"] for e in self.visible()], "registry": "external"},
            "policies": {"shell_access": "in a sandbox", "llm_required_for": ["composite", "proxy"]},
        }

    def visible(self):
        return [e for e in self.registry.query({"enabled": True}) if e["exposure"]["scope"] != "internal"]

    def docs(self, _):
        return {"text": "<ul>" + "".join("<li>%(capability_id)s: %(name)s</li>" % e for e in self.visible()) + "</ul>"}

    def legacy(self, params):
        if params["endpoint"] not in LEGACY:
            raise Refused("no such list")
        return {"capabilities": [e["capability_id"] for e in self.registry.query(LEGACY[params["endpoint"]])]}

    def delete(self, params):
        self.registry.delete(params["capability_id"])
        return {}

    def operations(self):
        return {
            "acd.manifest": self.manifest, "acd.docs": self.docs, "acd.legacy": self.legacy, "acd.invoke": self.invoke, "acd.configure": self.configure,
            "acd.registry.list": lambda _: {"capabilities": self.registry.all()},
            "acd.registry.get": lambda p: self.registry.get(p["capability_id"]),
            "acd.registry.create": lambda p: self.registry.create(p["descriptor"]),
            "acd.registry.update": lambda p: self.registry.update(p["descriptor"]),
            "acd.registry.delete": self.delete,
            "acd.registry.query": lambda p: {"capabilities": self.registry.query(p)},
            "acd.channel.declare": lambda p: {"modes": CHANNELS[p["channel_id"]]["modes"], "capabilities": self.shown(p["channel_id"])},
            "acd.channel.project": self.project,
            "acd.audit": lambda _: {"records": list(self.records)},
            "acd.execlog": lambda _: {"entries": list(self.ran)},
            "acd.llm.calls": lambda _: {"calls": self.calls},
        }


def answer(operations, line):
    message = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": message.get("id")}
    operation = operations.get(message["method"])
    if operation is None:
        reply["error"] = {"code": -32601, "message": "not served"}
        return reply
    try:
        reply["result"] = operation(message.get("params") or {})
    except (Refused, KeyError, TypeError, AttributeError) as reason:
        reply["error"] = {"code": -32000, "message": "refused: %s" % reason}
    return reply


def main():
    operations, lock = Agent().operations(), threading.Lock()

    def serve(line):
        text = json.dumps(answer(operations, line))
        with lock:
            print(text, flush=True)

    for line in sys.stdin:
        if line.strip():
            threading.Thread(target=serve, args=(line,), daemon=True).start()


if __name__ == "__main__":
    main()
