"""The evidence of one host: what happened at its boundary, only ever added to."""

import threading
import uuid
from datetime import datetime, timedelta, timezone

ZONE = timezone(timedelta(hours=1))
FIRST, STEP = 1000, 3  # a sequence rises; that it has no gaps is nobody's right


def now():
    """The time as evidence has it: whole seconds, and not in UTC."""
    return datetime.now(ZONE).isoformat(timespec="seconds")


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
            self._events.setdefault(about["correlation"]["correlation_id"], []).append(event)
        return event["event_id"]

    def of(self, correlation_id):
        """Gives all events of a correlation in their order, None if it was never heard of."""
        with self._lock:
            known = self._events.get(correlation_id)
            return None if known is None else list(known)
