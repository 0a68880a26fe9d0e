"""The built-in tools: objects of packages, kept in SQLite."""

import json
import re
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


def flaw_of(schema, value, where, root=None):
    """Says what breaks the schema, as much of JSON Schema as this example knows."""
    root = root or schema
    if schema is True or schema is False:
        return None if schema else f"{where} may not be there"
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        flaw = flaw_of(target, value, where, root)
        if flaw:
            return flaw
    if "anyOf" in schema and all(flaw_of(branch, value, where, root) for branch in schema["anyOf"]):
        return f"{where} is nothing of what it may be"
    if "oneOf" in schema and sum(not flaw_of(branch, value, where, root) for branch in schema["oneOf"]) != 1:
        return f"{where} is not one of the things that it may be"
    for branch in schema.get("allOf") or ():
        flaw = flaw_of(branch, value, where, root)
        if flaw:
            return flaw
    branch = schema.get("else" if "if" in schema and flaw_of(schema["if"], value, where, root) else "then", True)
    flaw = flaw_of(branch, value, where, root) if "if" in schema else None
    if flaw:
        return flaw
    if "not" in schema and not flaw_of(schema["not"], value, where, root):
        return f"{where} is what it may not be"
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool) and kind != "boolean"):
        return f"{where} is not of type {kind}"
    for keyword, breaks in LIMITS.items():
        if keyword in schema and breaks(schema[keyword], value):
            return f"{where} breaks {keyword}, which is {schema[keyword]}"
    if isinstance(value, list):
        first = schema.get("prefixItems") or []
        each = first[: len(value)] + [schema.get("items", True)] * (len(value) - len(first))
        if "contains" in schema and all(flaw_of(schema["contains"], item, where, root) for item in value):
            return f"{where} contains nothing of what it has to"
        inner = ((one, item, f"an item of {where}") for one, item in zip(each, value))
    elif isinstance(value, dict):
        wanted = [*(schema.get("required") or ()), *(n for m, names in (schema.get("dependentRequired") or {}).items() if m in value for n in names)]
        for name in wanted:
            if name not in value:
                return f"{where} lacks {name}"
        inner = [(schema.get("propertyNames", True), name, f"a name in {where}") for name in value]
        inner += [(one, member, name) for name, member in value.items() for one in schemas_of(schema, name)]
    else:
        return None
    return next(filter(None, (flaw_of(*one, root) for one in inner)), None)


def schemas_of(schema, name):
    """Gives the schemas of a member: those of its name and of its form, else that of all others."""
    named = [one for known, one in (schema.get("properties") or {}).items() if known == name]
    named += [one for form, one in (schema.get("patternProperties") or {}).items() if re.search(form, name)]
    return named or [schema.get("additionalProperties", True)]


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text_of(value):
    return json.dumps(value, sort_keys=True)


# What breaks a keyword, by the keyword.
LIMITS = {
    "enum": lambda these, value: text_of(value) not in map(text_of, these),
    "const": lambda one, value: text_of(value) != text_of(one),
    "minimum": lambda least, value: number(value) and value < least,
    "exclusiveMinimum": lambda least, value: number(value) and value <= least,
    "exclusiveMaximum": lambda most, value: number(value) and value >= most,
    "multipleOf": lambda step, value: number(value) and value % step != 0,
    "maximum": lambda most, value: number(value) and value > most,
    "minLength": lambda least, value: isinstance(value, str) and len(value) < least,
    "maxLength": lambda most, value: isinstance(value, str) and len(value) > most,
    "pattern": lambda form, value: isinstance(value, str) and not re.search(form, value),
    "minItems": lambda least, value: isinstance(value, list) and len(value) < least,
    "maxItems": lambda most, value: isinstance(value, list) and len(value) > most,
    "minProperties": lambda least, value: isinstance(value, dict) and len(value) < least,
    "maxProperties": lambda most, value: isinstance(value, dict) and len(value) > most,
    "uniqueItems": lambda wanted, value: wanted and isinstance(value, list) and len(set(map(text_of, value))) < len(value),
}


def patched(body, patch):
    """Gives an object changed by a JSON Patch, all of it or a fault."""
    body = json.loads(json.dumps(body))
    try:
        for step in patch:
            if step["op"] in ("move", "copy"):
                place, last = located(body, step["from"])
                step = {**step, "value": json.loads(json.dumps(place[last]))}
                if step["op"] == "move":
                    del place[last]
                step["op"] = "add"
            operate(step, *located(body, step["path"]))
    except (KeyError, IndexError, ValueError, TypeError) as fault:
        raise Fault(f"the patch can't be applied: {fault!r}") from None
    return body


def located(body, path):
    """Gives the list or object that holds what a path leads to, and its place there."""
    *way, last = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
    place = body
    for part in way:
        place = place[int(part) if isinstance(place, list) else part]
    return place, len(place) if last == "-" else int(last) if isinstance(place, list) else last


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
