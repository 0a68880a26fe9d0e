"""A tiny router of capability packages with its runtime."""

import json
import threading
import urllib.parse

import services
from package import Package, Refused, check_content, check_signature
from state import Fault, State

ROUNDS = 60  # of a model in one turn


class Router:
    """Safe to be used by several threads at once. Faults are what it does wrong on purpose."""

    def __init__(self, faults=()):
        self._faults = faults
        self._state = State(careless="unchecked-objects" in faults)
        self._lock = threading.Lock()
        self._places = {}
        self._installed = {}  # a Package by its name
        self._stacks = {}  # names by conversation
        self._models = None

    def configure(self, places):
        with self._lock:
            self._places, self._models = {**places, "services": places.get("services") or {}}, None

    def install(self, cid):
        text = services.fetch(f"{self._places['gateway']}/ipfs/{urllib.parse.quote(cid)}")
        check_content(cid, text)
        package = Package(text)
        if "unsigned-packages" not in self._faults or package.metadata.get("signature"):
            check_signature(text, self._author(package))
        with self._lock:
            self._installed[package.name] = package
        return package.uri

    def _author(self, package):
        try:
            return services.rpc(self._places["registry"] + "/rpc", "acp.get", {"cap_uri": package.uri})["author"]
        except (services.Unserved, KeyError):
            raise Refused("nobody published this") from None

    def uninstall(self, uri):
        with self._lock:
            names = [name for name, package in self._installed.items() if package.uri == uri]
            for name in names:
                del self._installed[name]
        if not names:
            raise Refused("this is not installed")

    def message(self, conversation, text):
        order, _, argument = text.strip().partition(" ")
        with self._lock:
            stack = self._stacks.setdefault(conversation, [])
            stack[:] = [name for name in stack if name in self._installed]
            if order == "/back" and "ignores-back" not in self._faults:
                return f"Left {stack.pop()}." if stack else "This is where it began."
            if order == "/switch":
                if argument.strip() not in self._installed:
                    return "There is no such capability."
                stack.append(argument.strip())
                return f"{stack[-1]} it is."
            package = self._route(stack, text)
        return self._turn(stack, package, text) if package else self._alone(text)

    def _route(self, stack, text):
        top = self._installed[stack[-1]] if stack else None
        if top and top.matches(text):
            return top
        for package in self._installed.values():
            if package.matches(text):
                stack[-1:] = [package.name]
                return package
        return top

    def _alone(self, text):
        answer = self._ask({"model": (self._offered() or ["any"])[0], "messages": [{"role": "user", "content": text}]})
        return answer.get("content") or "Nothing comes to mind."

    def _turn(self, stack, package, text):
        names = {name.replace(".", "_"): name for name in package.tools}
        request = {
            "model": package.model_among(self._offered()),
            "messages": [{"role": "developer", "content": f"{package.prompt}\nYou are {package.title}."}, {"role": "user", "content": text}],
            "tools": [{"type": "function", "function": shown(package, name, function)} for name, function in package.tools.items()],
        }
        done = False
        for _ in range(ROUNDS):
            answer = self._ask(request)
            request["messages"].append(answer)
            if not answer.get("tool_calls"):
                break
            for call in answer["tool_calls"]:
                name = call["function"]["name"]
                came = self._execute(package, names.get(name, name), call["function"]["arguments"])
                done = done or isinstance(came, dict) and came.get("done") is True
                request["messages"].append({"role": "tool", "tool_call_id": call["id"], "content": came if isinstance(came, str) else json.dumps(came)})
        if done:
            with self._lock:
                stack[:] = [name for name in stack if name != package.name]
        return answer.get("content") or "That is all."

    def _execute(self, package, name, arguments):
        try:
            arguments = json.loads(arguments)
            family, _, verb = name.replace("_", ".", 1).partition(".")
            if family == "state" and name not in package.bindings or name.startswith("state."):
                return self._state.call(package, verb, arguments)
            if name not in package.bindings:
                raise Fault(f"nobody can execute {name}")
            return services.execute(package.bindings[name], arguments, self._places["services"])
        except (Fault, services.Unserved, ValueError, KeyError, TypeError) as fault:
            return f"error: {fault}"

    def _ask(self, request):
        return services.post(self._places["llm"] + "/chat/completions", request)["choices"][0]["message"]

    def _offered(self):
        if self._models is None:
            self._models = [model["id"] for model in json.loads(services.fetch(self._places["llm"] + "/models"))["data"]]
        return self._models


def shown(package, name, function):
    """A tool as a model service takes it: no dot in its name, and no reference out of itself."""
    return {**function, "name": name.replace(".", "_"), "parameters": resolved(function.get("parameters") or {}, package.schema)}


def resolved(value, schema):
    if isinstance(value, list):
        return [resolved(item, schema) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("$ref") == "#/schema":
        return {name: member for name, member in schema.items() if not name.startswith("$")}
    return {name: resolved(member, schema) for name, member in value.items()}
