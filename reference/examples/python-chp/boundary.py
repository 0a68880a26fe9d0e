"""The boundary: every invocation passes it and leaves evidence, whatever becomes of it.

Nothing in here knows how an envelope arrived.
"""

import hashlib
import threading
import uuid
from concurrent.futures import Future

from ledger import Ledger, broken, now
from ranges import fits
from shape import holds

HOST_ID = "example-python-chp"
WORDS = (("invocation_id", str), ("capability_id", str), ("mode", str), ("requested_at", str), ("payload", dict), ("subject", dict))
PAGE = 10_000  # the most events of a query that sets a limit


class Malformed(Exception):
    """What arrived is no envelope or no query: nothing happened, so there is no evidence."""


class Unknown(Exception):
    """There is no evidence of this correlation."""


class Denied(Exception):
    """A decision against an execution."""

    def __init__(self, code, message, **more):
        super().__init__(message)
        self.denial = {"details": {"by": HOST_ID}, **more, "retryable": False, "message": message, "code": code}


class Boundary:
    """Safe to be used by several threads at once."""

    def __init__(self, capabilities):
        self.ledger = Ledger(HOST_ID)
        self._offered = {c.pair: c for c in capabilities}
        self._lock = threading.Lock()
        self._results = {}  # a Future by invocation id

    def host(self):
        return {
            "capabilities": self.capabilities()["capabilities"][::-1],
            "supported_versions": ["0.1", "0.2"],
            "protocol_version": "0.2",
            "assurance": "hash-chain",
            "evidence": {"append_only": True, "store": "memory", "survives": "nothing"},
            "motto": "nothing unseen",
            "kind": "service",
            "version": "3.11",
            "id": HOST_ID,
        }

    def capabilities(self):
        return {"count": len(self._offered), "capabilities": [c.descriptor for c in self._offered.values()]}

    def invoke(self, envelope):
        """Gives an InvocationResult. One that is on record is given again, and nothing is done."""
        envelope = read_envelope(envelope)
        with self._lock:
            recorded = self._results.get(envelope["invocation_id"])
            mine = self._results.setdefault(envelope["invocation_id"], Future())
        if recorded:
            return {"replayed": True, **recorded.result()}
        try:
            mine.set_result(self._pass(envelope))
        except BaseException as failure:
            mine.set_exception(failure)
        return mine.result()

    def _pass(self, envelope):
        began = now()
        about = {name: envelope[name] for name in ("subject", "correlation", "capability_id", "invocation_id")}
        self.ledger.add("org.example.boundary.entered", about)
        try:
            capability = self._admit(envelope)
            about["capability_version"] = capability.descriptor["version"]
            ended = self._execute(capability, envelope["payload"], about) if capability.enabled else self._skip(about)
        except Denied as refusal:
            ended = {"denial": refusal.denial, "outcome": "denied"}
            ended["evidence_ids"] = [self.ledger.add("execution_denied", about, **ended)]
        self.ledger.add("org.example.boundary.left", about, redacted=False, payload={"outcome": ended["outcome"]})
        return {
            "served_by": {"id": HOST_ID, "language": "python"},
            "completed_at": now(),
            "started_at": began,
            **ended,
            "success": ended["outcome"] == "success",
            **{name: about[name] for name in about if name != "subject"},
        }

    def _admit(self, envelope):
        """Gives the capability that may be executed, or the one that is switched off."""
        capability = self._resolve(envelope["capability_id"], envelope.get("version"), envelope.get("requested_capability_version"))
        if not capability.enabled:
            return capability
        if envelope["mode"] not in capability.descriptor["modes"]:
            raise Denied("unsupported_mode", "this capability has no such mode")
        if capability.entitlement:
            raise Denied("org.example.entitlement_required", "the caller lacks an entitlement", details={"entitlement": capability.entitlement})
        broken = capability.lacking(envelope["payload"])
        if broken:
            invariant, absent = broken
            raise Denied("invariant_failed", "the payload is incomplete", invariant_id=invariant, details={"absent": absent})
        if not holds(capability.descriptor.get("input_schema", {}), envelope["payload"]):
            raise Denied("input_schema_validation_failed", "the payload breaks the input schema")
        return capability

    def _resolve(self, capability_id, version, wanted):
        offered = [c for (name, _), c in self._offered.items() if name == capability_id]
        found = [c for c in offered if version in (c.pair[1], None)]
        if wanted is not None and found:
            fitting = [c for c in found if fits(c.pair[1], wanted)]
            if not fitting:
                available = [c.pair[1] for c in offered]
                raise Denied("capability_version_unsupported", "no version fits", details={"requested": wanted, "available": available})
            return max(fitting, key=lambda c: c.pair[1])
        if len(found) != 1:
            raise Denied("capability_not_found", "not one capability alone answers to this id and version")
        return found[0]

    def _skip(self, about):
        why = {"code": "capability_disabled", "message": "switched off"}
        return {"skip": why, "outcome": "skipped", "evidence_ids": [self.ledger.add("execution_skipped", about, outcome="skipped", skip=why)]}

    def _execute(self, capability, payload, about):
        self.ledger.add("safety_assessment_started", about)
        self.ledger.add("safety_assessment_completed", about, payload={"score": "0.0", "level": "low", "approved": True})
        self.ledger.add("safety_action_approved", about)
        started = self.ledger.add("execution_started", about)
        self.ledger.add("org.example.metered", about, payload={"units": "1"})
        try:
            ended = {"data": capability.handler(payload, lambda kind, **more: self.ledger.add(kind, about, **more)), "outcome": "success"}
            last = self.ledger.add("execution_completed", about, outcome="success")
        except Exception as failure:  # whatever it is, it is the handler's; its words may hold the payload
            ended = {"error": {"message": str(failure), "type": type(failure).__name__}, "outcome": "failure"}
            last = self.ledger.add("execution_failed", about, outcome="failure", error={"type": type(failure).__name__})
        return {**ended, "evidence_ids": [last, started]}

    def replay(self, query):
        """Gives a ReplayResult: since_sequence is included, and a limit keeps what came last."""
        correlation_id, limit, since = read_query(query)
        known = self.ledger.of(correlation_id)
        if known is None:
            raise Unknown("no evidence under this correlation id")
        events = [e for e in known if e["sequence"] >= since]
        kept = events[-limit:] if limit else events
        if query.get("include_payloads") is False:
            kept = [{**e, "redacted": True, "payload": {}} for e in kept]
        return {"order": "sequence", "events": kept, "replayed_at": now(), "event_count": len(events), "correlation_id": correlation_id}


    def verify(self, correlation_id):
        events = self.ledger.of(correlation_id) or []
        first = broken(events)
        return {"valid": first is None, "first_broken_sequence": first, "event_count": len(events), "correlation_id": correlation_id}

    def export(self, correlation_id):
        """Gives an unsigned bundle."""
        events = self.ledger.of(correlation_id)
        if events is None:
            raise Unknown("no evidence under this correlation id")
        root = hashlib.sha256("".join(e["content_hash"] + "\n" for e in events).encode()).hexdigest()
        return {
            "root_hash": root,
            "events": events,
            "assurance": "hash-chain",
            "canonicalization": "chp-stable-v1",
            "created_at": now(),
            "protocol_version": "0.2",
            "host_id": HOST_ID,
        }


def read_envelope(given):
    """Gives the envelope with a correlation id, the caller's if there is one."""
    if not isinstance(given, dict):
        raise Malformed("an envelope is an object")
    for name, kind in WORDS:
        if not isinstance(given.get(name), kind) or given[name] == "":
            raise Malformed(f"{name} is missing or of the wrong type")
    if not isinstance(given.get("version"), (str, type(None))):
        raise Malformed("version is text")
    context = given.get("correlation")
    if context is None:
        context = {"correlation_id": given.get("correlation_id")}
    if not isinstance(context, dict):
        raise Malformed("correlation is an object")
    context = {name: value for name, value in context.items() if value is not None}
    if not isinstance(context.get("correlation_id", ""), str):
        raise Malformed("a correlation id is text")
    context["correlation_id"] = context.get("correlation_id") or f"py-{uuid.uuid4()}"
    return {**given, "correlation": {"environment": "test", "seen_by": [HOST_ID], **context}}


def read_query(given):
    """Gives correlation id, limit (None for none) and the least sequence."""
    if not isinstance(given, dict) or not isinstance(given.get("correlation_id"), str) or not given["correlation_id"]:
        raise Malformed("a query is an object with a correlation_id")
    limit, since = given.get("limit"), given.get("since_sequence")
    for number, least in ((limit, 1), (since, 0)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < least):
            raise Malformed("limit is an integer from 1, since_sequence one from 0")
    if not isinstance(given.get("include_payloads"), (bool, type(None))):
        raise Malformed("include_payloads is a boolean")
    return given["correlation_id"], limit and min(limit, PAGE), since or 0
