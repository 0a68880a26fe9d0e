"""The one registry: descriptors by id, and every question that is asked of them.

Descriptors are kept as they were given; what they leave out is read as the text
prints it.
"""

import copy
import threading

LEGACY = {
    "/listSkills": {"kind": "composite"},
    "/listCommands": {"invocation": "command"},
    "/listSubAgents": {"execution": "agent"},
    "/listChannels": {"execution": "transport"},
}


class Refused(Exception):
    """The answer is no. The text names no code for it."""


def enabled(entry):
    return (entry.get("status") or {}).get("enabled") is not False


def mutable(entry):
    return (entry.get("status") or {}).get("mutable") is not False


def modes(entry):
    return entry["invocation"]["modes"]


def fits(entry, question):
    said = {
        "kind": entry["kind"],
        "execution": entry["execution"]["substrate"],
        "exposure": entry["exposure"]["scope"],
        "enabled": enabled(entry),
    }
    return all(value in modes(entry) if name == "invocation" else said.get(name) == value for name, value in question.items())


class Registry:
    """Safe to be used by several threads at once."""

    def __init__(self, entries, consent):
        self._lock = threading.RLock()
        self._entries = {e["capability_id"]: e for e in entries}
        self._consent = consent  # asks the language model about a descriptor

    def all(self):
        with self._lock:
            return [copy.deepcopy(e) for e in self._entries.values()]

    def query(self, question):
        known = {n: v for n, v in question.items() if n in ("kind", "execution", "exposure", "enabled", "invocation")}
        return [e for e in self.all() if fits(e, known)]

    def get(self, capability_id):
        with self._lock:
            return copy.deepcopy(self._entries.get(capability_id))

    def create(self, descriptor):
        """Registers a new id. One that is taken is not given away again."""
        check(descriptor)
        if descriptor["kind"] in ("composite", "proxy"):
            self._consent(descriptor)
        with self._lock:
            if descriptor["capability_id"] in self._entries:
                raise Refused("the id is taken")
            self._entries[descriptor["capability_id"]] = copy.deepcopy(descriptor)
        return descriptor

    def update(self, descriptor):
        check(descriptor)
        before = self.get(descriptor["capability_id"])
        if before and before["kind"] != descriptor["kind"] and descriptor["kind"] in ("composite", "proxy"):
            self._consent(descriptor)  # such an update creates one
        with self._lock:
            self._changeable(descriptor["capability_id"])
            self._entries[descriptor["capability_id"]] = copy.deepcopy(descriptor)
        return descriptor

    def edit(self, capability_id, change):
        with self._lock:
            self._changeable(capability_id)
            change(self._entries[capability_id])
            return copy.deepcopy(self._entries[capability_id])

    def delete(self, capability_id):
        with self._lock:
            self._changeable(capability_id)
            del self._entries[capability_id]

    def _changeable(self, capability_id):
        if capability_id not in self._entries:
            raise Refused("nobody has this id")
        if not mutable(self._entries[capability_id]):
            raise Refused("it belongs to the constitution")


def check(descriptor):
    try:
        parts = [descriptor[n] for n in ("capability_id", "name", "version", "kind")]
        parts += [descriptor["execution"]["substrate"], descriptor["exposure"]["scope"]]
        sound = all(isinstance(p, str) and p for p in parts) and isinstance(modes(descriptor), list) and isinstance(descriptor["permissions"], dict)
    except (KeyError, TypeError):
        sound = False
    if not sound:
        raise Refused("this is no descriptor")
