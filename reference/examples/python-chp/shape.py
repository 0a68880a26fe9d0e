"""As much of JSON Schema as the capabilities of this example need."""

TYPES = {"object": dict, "string": str, "integer": int}


def holds(schema, value):
    """Says whether the value keeps the schema."""
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or isinstance(value, bool)):
        # 3.0 is an integer as well; a boolean, which is an int to Python, is none
        if kind != "integer" or not isinstance(value, float) or not value.is_integer():
            return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, (int, float)):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return not isinstance(value, dict) or _members_hold(schema, value)


def _members_hold(schema, value):
    known = schema.get("properties", {})
    if any(name not in value for name in schema.get("required", ())):
        return False
    if schema.get("additionalProperties") is False and value.keys() - known.keys():
        return False
    return all(holds(inner, value[name]) for name, inner in known.items() if name in value)
