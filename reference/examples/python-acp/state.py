"""The built-in tools: objects of packages, kept in SQLite."""

import json
import sqlite3
import threading

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
PAGE = 20


class Fault(Exception):
    """The tool did not do it; the model is told why."""


class State:
    """Safe to be used by several threads at once."""

    def __init__(self, careless=False):
        self._careless = careless
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE TABLE objects (place TEXT, id TEXT, body TEXT, PRIMARY KEY (place, id))")

    def call(self, package, verb, arguments):
        if verb not in ("create", "update", "query", "delete"):
            raise Fault(f"there is no state.{verb}")
        if "state." + verb not in package.verbs:
            raise Fault(f"state.{verb} is not declared by {package.uri}")
        if arguments.get("schema_uri", package.schema_uri) != package.schema_uri:
            raise Fault("this schema is not that of the package")
        place = json.dumps([package.scope, package.schema_uri])
        with self._lock:
            return getattr(self, "_" + verb)(package, place, arguments)

    def _create(self, package, place, arguments):
        body = arguments.get("object")
        self._check(package, body)
        if self._find(place, body.get("id")) is not None:
            raise Fault("it exists already")
        self._keep(place, body)
        return {"stored": body}

    def _update(self, package, place, arguments):
        body = self._find(place, arguments.get("id"))
        if body is None:
            raise Fault("there is nothing of that id")
        changed = patched(body, arguments.get("patch"))
        self._check(package, changed)
        if changed.get("id") != body["id"]:
            raise Fault("an id stays as it is")
        self._keep(place, changed)
        return {"stored": changed}

    def _query(self, _package, place, arguments):
        rows = self._db.execute("SELECT body FROM objects WHERE place = ? ORDER BY rowid", (place,)).fetchall()
        found = [body for (text,) in rows if fits(arguments.get("query") or {}, body := json.loads(text))]
        start, limit = int(arguments.get("cursor") or 0), max(1, int(arguments.get("limit") or PAGE))
        page = {"rows": found[start : start + limit]}
        if start + limit < len(found):
            page["nextCursor"] = str(start + limit)
        return page

    def _delete(self, _package, place, arguments):
        if self._find(place, arguments.get("id")) is None:
            raise Fault("there is nothing of that id")
        self._db.execute("DELETE FROM objects WHERE place = ? AND id = ?", (place, arguments["id"]))
        return {"gone": True}

    def _check(self, package, body):
        if not isinstance(body, dict) or not isinstance(body.get("id"), str):
            raise Fault("an object with an id is wanted")
        flaw = None if self._careless else flaw_of(package.schema, body, "the object")
        if flaw:
            raise Fault(flaw)

    def _find(self, place, name):
        row = self._db.execute("SELECT body FROM objects WHERE place = ? AND id = ?", (place, name)).fetchone()
        return row and json.loads(row[0])

    def _keep(self, place, body):
        self._db.execute(
            "INSERT INTO objects VALUES (?, ?, ?) ON CONFLICT (place, id) DO UPDATE SET body = excluded.body", (place, body["id"], json.dumps(body))
        )


def flaw_of(schema, value, where):
    """Says what breaks the schema, as much of JSON Schema as this example knows."""
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool) and kind != "boolean"):
        return f"{where} is not of type {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {schema['enum']}"
    if isinstance(value, list):
        inner = ((schema.get("items") or {}, item, f"an item of {where}") for item in value)
    elif isinstance(value, dict):
        for name in schema.get("required") or ():
            if name not in value:
                return f"{where} lacks {name}"
        known = schema.get("properties") or {}
        inner = ((known[name], member, name) for name, member in value.items() if name in known)
    else:
        return None
    return next(filter(None, (flaw_of(*one) for one in inner)), None)


def patched(body, patch):
    """Gives an object changed by a JSON Patch, all of it or a fault."""
    body = json.loads(json.dumps(body))
    try:
        for step in patch:
            *way, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"].split("/")[1:]]
            place = body
            for part in way:
                place = place[int(part) if isinstance(place, list) else part]
            operate(step, place, len(place) if last == "-" else int(last) if isinstance(place, list) else last)
    except (KeyError, IndexError, ValueError, TypeError) as fault:
        raise Fault(f"the patch can't be applied: {fault!r}") from None
    return body


def operate(step, place, last):
    kind = step["op"]
    if kind == "add" and isinstance(place, list):
        place.insert(last, step["value"])
    elif kind == "add":
        place[last] = step["value"]
    elif kind == "replace":
        place[last]  # what is replaced has to be there
        place[last] = step["value"]
    elif kind == "remove":
        del place[last]
    elif kind == "test":
        if place[last] != step["value"]:
            raise Fault("a test of the patch does not hold")
    else:
        raise Fault(f"{kind} is not done here")


def alike(one, other):
    """Tells whether two values have an order: what has none fits no comparison."""
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in ((int, float), str))


def fits(query, body):
    return all(fits_one(name, wanted, body) for name, wanted in query.items())


def fits_one(name, wanted, body):
    if name == "$and":
        return all(fits(one, body) for one in wanted)
    if name == "$or":
        return any(fits(one, body) for one in wanted)
    if name.startswith("$"):
        raise Fault(f"{name} is not known")
    has = body.get(name)
    if not isinstance(wanted, dict):
        return has == wanted
    tests = {
        "$eq": lambda operand: has == operand,
        "$ne": lambda operand: has != operand,
        "$gt": lambda operand: alike(has, operand) and has > operand,
        "$gte": lambda operand: alike(has, operand) and has >= operand,
        "$lt": lambda operand: alike(has, operand) and has < operand,
        "$lte": lambda operand: alike(has, operand) and has <= operand,
        "$in": lambda operand: has in operand,
    }
    try:
        return all(tests[operator](operand) for operator, operand in wanted.items())
    except (KeyError, TypeError) as fault:
        raise Fault(f"this filter is not understood: {fault!r}") from None
