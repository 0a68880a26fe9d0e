"""The evidence of one host. It appends events, each with the hash of the event before it."""

import hashlib
import json
import threading
import uuid
from datetime import datetime, timedelta, timezone

ZONE = timezone(timedelta(hours=1))
FIRST, STEP = 1000, 3  # a sequence rises; that it has no gaps is nobody's right


def now():
    """The time as evidence has it: whole seconds, and not in UTC."""
    return datetime.now(ZONE).isoformat(timespec="seconds")


HASHED = ("event_id", "event_type", "invocation_id", "capability_id", "host_id", "timestamp", "outcome")
SCHEME = "chp-event-hash-v2"  # the payload counts by its hash, so that it can be withheld


def stable(value):
    """The form chp-stable-v1, which is hashed."""
    return json.dumps(value, sort_keys=True).encode()


def commitment(payload):
    return hashlib.sha256(stable(payload)).hexdigest()


def hash_of(event, before):
    """The content hash of an event behind the one with the hash before."""
    hashed = {name: event.get(name) for name in HASHED}
    hashed["payload_commitment"] = event["payload_commitment"]
    hashed["correlation_id"], hashed["prev_hash"] = event["correlation"]["correlation_id"], before
    return hashlib.sha256(stable(hashed)).hexdigest()


def broken(events):
    """Gives the sequence of the first event that breaks the chain, None if none does."""
    before = None
    for event in events:
        if event["payload_commitment"] != commitment(event["payload"]) or event["prev_hash"] != before or event["content_hash"] != hash_of(event, before):
            return event["sequence"]
        before = event["content_hash"]
    return None


class Ledger:
    """Safe to be used by several threads at once."""

    def __init__(self, host_id):
        self._host_id = host_id
        self._lock = threading.Lock()
        self._next = FIRST
        self._events = {}  # by correlation id

    def add(self, kind, about, **more):
        """Writes one event down and gives its id; "about" is what all events of an invocation share."""
        event = {
            "kept_by": "ledger.py",
            "redacted": True,
            "payload": {},
            **more,
            "assurance": {"notes": ["kept in memory"], "level": "S1"},
            "host_id": self._host_id,
            **about,
            "event_type": kind,
            "event_id": f"{uuid.uuid4()}",
        }
        with self._lock:
            event["sequence"] = self._next
            event["timestamp"] = now()
            self._next += STEP
            chain = self._events.setdefault(about["correlation"]["correlation_id"], [])
            event["prev_hash"] = chain[-1]["content_hash"] if chain else None
            event["hash_scheme"], event["payload_commitment"] = SCHEME, commitment(event["payload"])
            event["content_hash"] = hash_of(event, event["prev_hash"])
            chain.append(event)
        return event["event_id"]

    def of(self, correlation_id):
        """Gives all events of a correlation in their order, None if it was never heard of."""
        with self._lock:
            known = self._events.get(correlation_id)
            return None if known is None else list(known)
