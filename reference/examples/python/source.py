"""A capability source: what it offers, and what becomes of an invocation.

Nothing in here knows how a request arrived.
"""

import threading
import time

from contract import faults, understood

GRANTED = {"conformance.read"}  # what a caller of this example may do


class Unsuccessful(Exception):
    """An outcome of an invocation that is not a success."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Capability:
    """A manifest, and the handler that only the source sees."""

    def __init__(self, manifest, handler, seconds=5.0):
        understood(manifest["input_schema"])
        understood(manifest.get("output_schema") or {})
        self.manifest = manifest
        self.handler = handler
        self.seconds = seconds

    @property
    def pair(self):
        return self.manifest["capability_id"], self.manifest["version"]


class Source:
    """Safe to be used by several threads at once."""

    def __init__(self, capabilities):
        self._lock = threading.Lock()
        self._offered = {}
        self.executions = 0
        for capability in capabilities:
            if capability.pair in self._offered:
                raise ValueError(f"{capability.pair} is offered already")
            self._offered[capability.pair] = capability

    def manifests(self):
        with self._lock:
            return [c.manifest for c in self._offered.values()]

    def find(self, capability_id, version):
        """Gives the capability of just this pair, or None."""
        if not isinstance(capability_id, str) or not isinstance(version, str):
            return None
        with self._lock:
            return self._offered.get((capability_id, version))

    def exchange(self, one, other):
        """Puts whichever of the two is not offered into the place of the one that is."""
        with self._lock:
            gone, come = (one, other) if one.pair in self._offered else (other, one)
            del self._offered[gone.pair]
            self._offered[come.pair] = come
            return come

    def invoke(self, ref, given):
        """Always gives an InvokeResult. Members that would be null are left out."""
        began = time.monotonic()
        try:
            outcome = {"output": self._execute(ref, given), "ok": True}
        except Unsuccessful as failure:
            outcome = {"ok": False, "error": {"message": str(failure), "code": failure.code}}
        outcome["duration_ms"] = round((time.monotonic() - began) * 1000)
        outcome["note"] = "answered by the Python example"
        return outcome

    def _execute(self, ref, given):
        ref = ref if isinstance(ref, dict) else {}
        capability = self.find(ref.get("capability_id"), ref.get("version"))
        if capability is None:
            raise Unsuccessful("NOT_FOUND", "nothing of this id and version is offered")
        fault = next(faults(capability.manifest["input_schema"], given), None)
        if fault:
            raise Unsuccessful("INVALID_INPUT", f"the input {fault}")
        for permission in capability.manifest.get("required_permissions", []):
            if permission not in GRANTED:
                raise Unsuccessful("PERMISSION_DENIED", f"the caller lacks {permission}")
        output = self._run(capability, given)
        fault = next(faults(capability.manifest.get("output_schema") or {}, output), None)
        if fault:
            raise Unsuccessful("EXECUTION_FAILED", f"the handler's output {fault}")
        return output

    def _run(self, capability, given):
        """Runs the handler on a thread of its own, for as long as it is allowed."""
        outcome = {}
        over = threading.Event()

        def work():
            try:
                outcome["output"] = capability.handler(self, given, over)
            except Exception as failure:  # whatever it is, it is the handler's
                outcome["failure"] = failure

        with self._lock:
            self.executions += 1
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(capability.seconds)
        if worker.is_alive():
            over.set()
            raise Unsuccessful("TIMEOUT", f"not done after {capability.seconds} s")
        if "failure" in outcome:
            raise Unsuccessful("EXECUTION_FAILED", f"{outcome['failure']}")
        return outcome["output"]
