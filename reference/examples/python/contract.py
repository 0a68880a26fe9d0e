"""As much of JSON Schema as the capabilities of this example are written in.

A schema that uses anything else is turned down when it is registered, so that
no keyword is ever ignored in silence.
"""

ANNOTATIONS = {"title", "description", "default", "$schema"}
NUMBER = (int, float)


def _is_integer(value):
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": _is_integer,  # 3.0 is one, True is none
}


def _type(schema, value):
    if not TYPES[schema["type"]](value):
        yield f"is no {schema['type']}"


def _required(schema, value):
    if isinstance(value, dict):
        for name in schema["required"]:
            if name not in value:
                yield f"lacks {name}"


def _properties(schema, value):
    if isinstance(value, dict):
        for name, inner in schema["properties"].items():
            if name in value:
                yield from (f"{name} {fault}" for fault in faults(inner, value[name]))


def _closed(schema, value):
    if isinstance(value, dict) and schema["additionalProperties"] is False:
        for name in value.keys() - schema.get("properties", {}).keys():
            yield f"knows no {name}"


def _items(schema, value):
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from (f"{place} {fault}" for fault in faults(schema["items"], item))


def _measured(kind, keyword, measure, within, words):
    def check(schema, value):
        if isinstance(value, kind) and not isinstance(value, bool) and not within(measure(value), schema[keyword]):
            yield f"{words} {schema[keyword]}"

    return check


def _at_least(value, bound):
    return value >= bound


def _at_most(value, bound):
    return value <= bound


KEYWORDS = {
    "type": _type,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _closed,
    "items": _items,
    "minItems": _measured(list, "minItems", len, _at_least, "has fewer items than"),
    "minLength": _measured(str, "minLength", len, _at_least, "is shorter than"),
    "maxLength": _measured(str, "maxLength", len, _at_most, "is longer than"),
    "minimum": _measured(NUMBER, "minimum", lambda v: v, _at_least, "is below"),
    "maximum": _measured(NUMBER, "maximum", lambda v: v, _at_most, "is above"),
}


def understood(schema):
    """Raises ValueError for a schema with a keyword that faults() does not know."""
    for keyword in schema:
        if keyword not in KEYWORDS and keyword not in ANNOTATIONS:
            raise ValueError(f"the keyword {keyword} is beyond this validator")
    for inner in schema.get("properties", {}).values():
        understood(inner)
    if "items" in schema:
        understood(schema["items"])
    return schema


def faults(schema, value):
    """Says in words, one fault at a time, how the value breaks the schema."""
    for keyword, check in KEYWORDS.items():
        if keyword in schema:
            yield from check(schema, value)
