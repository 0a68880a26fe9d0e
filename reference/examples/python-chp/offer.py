"""What the host offers: the fixture profile of a conformance run, and a little more.

A handler is given the payload and a function that writes an event of the
capability's own into the evidence.
"""

import time

LIFE = ["execution_skipped", "execution_denied", "execution_failed", "execution_completed", "execution_started"]


class Capability:
    """A descriptor, the handler behind it, whether it is enabled, and the entitlement that a caller needs.

    No caller of this host has any entitlement.
    """

    def __init__(self, capability_id, version, description, handler, *, enabled=True, entitlement=None, emits=(), **more):
        self.handler = handler
        self.enabled = enabled
        self.entitlement = entitlement
        self.descriptor = {
            "written_in": "python",
            "emits": [*emits, *LIFE],
            "modes": ["sync"],
            "assurance": {"level": "S1"},
            "tags": ["example"],
            **more,
            "description": description,
            "capability_uri": f"{capability_id}:{version}",
            "version": version,
            "id": capability_id,
        }

    @property
    def pair(self):
        return self.descriptor["id"], self.descriptor["version"]

    def lacking(self, payload):
        """Gives the first invariant that the payload breaks and the members it lacks."""
        for invariant in self.descriptor.get("invariants", ()):
            absent = [name for name in invariant["parameters"]["fields"] if name not in payload]
            if absent:
                return invariant["id"], absent
        return None


def echo(payload, _emit):
    return {"heard": [payload.get("value")], "loudness": 11}


def fail(_payload, _emit):
    raise RuntimeError("it never works")


def observe(payload, emit):
    emit("execution_observed", payload={"members": f"{len(payload)}"}, redacted=True)
    return {"observed": True}


def weigh(payload, _emit):
    return {"grams": int(payload["amount"]) * (1000 if payload.get("unit") == "kg" else 1)}


def clock(_payload, _emit):
    return {"ticks": time.monotonic_ns()}


AMOUNT = {
    "additionalProperties": False,
    "required": ["amount"],
    "properties": {"unit": {"enum": ["g", "kg"]}, "amount": {"maximum": 5000, "minimum": 0, "type": "integer"}},
    "type": "object",
}
GRAMS = {"required": ["grams"], "properties": {"grams": {"minimum": 0, "type": "integer"}}, "type": "object"}
REQUIRES_VALUE = {
    "failure_behavior": "deny",
    "enforcement": "host",
    "parameters": {"fields": ["value"]},
    "kind": "required_payload_fields",
    "id": "requires_value",
}


def capabilities():
    """Gives everything that is offered."""
    return [
        Capability("example.clock", "2.0.0-beta", "Tells the time in ticks.", clock, modes=["async", "sync"]),
        Capability("example.clock", "1.0.0", "Tells the time.", clock, risk="low"),
        Capability("conformance.typed", "1.0.0", "Weighs.", weigh, output_schema=GRAMS, input_schema=AMOUNT),
        Capability("conformance.observe", "1.0.0", "Tells of itself.", observe, emits=["execution_observed"]),
        Capability("conformance.disabled", "1.0.0", "Is off.", clock, enabled=False),
        Capability("conformance.guarded", "1.0.0", "Wants a value.", echo, invariants=[REQUIRES_VALUE]),
        Capability("conformance.restricted", "1.0.0", "Is for nobody.", echo, entitlement="conformance.forbidden"),
        Capability("conformance.fail", "1.0.0", "Never works.", fail),
        Capability("conformance.echo", "1.0.0", "Says it again.", echo, owner="nobody", metadata={"colour": "green"}),
    ]
