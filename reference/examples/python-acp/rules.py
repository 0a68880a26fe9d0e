"""What the text prints of packages, as a table: what a package may not be, and how that shows."""

import re

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PARAMETERS = {
    "http_get": ["url"],
    "http_post": ["url"],
    "nuwa_a2a": ["target_did", "service_method"],
    "mcp_service": ["service_uri", "mcp_action"],
}


def broken(document, schema):
    """Gives what is wrong with a package, None if nothing is."""
    metadata = document["metadata"]
    tools, bindings = document.get("tools") or [], document.get("tool_bindings") or {}
    triggers, wants = metadata.get("triggers") or [], metadata.get("llm_requirements") or {}
    faults = {
        "the schema is of another dialect": schema.get("$schema", DIALECT) != DIALECT,
        "the schema has no URI": not re.match(r"[A-Za-z][\w.+-]*:.", str(schema.get("$id", ""))),
        "the prompt is no text": not isinstance(document.get("prompt") or "", str),
        "a tool has no type": any(tool.get("type") != "function" for tool in tools),
        "the bindings are no mapping": not isinstance(bindings, dict),
        "a state tool fixes another schema URI": any(schema["$id"] not in uris for uris in fixed(tools)),
        "a trigger has no value": any(not isinstance(t, dict) or t.get("value") is None for t in triggers),
        "a trigger is no regular expression": any(not readable(t) for t in triggers),
        "the LLM requirements are no mapping": not isinstance(wants, dict),
    }
    return next((fault for fault, shows in faults.items() if shows), None) or mistyped(wants) or vague(bindings)


def fixed(tools):
    """Gives the lists of schema URIs that state tools allow."""
    for tool in tools:
        if tool["function"]["name"].startswith("state."):
            uri = (tool["function"].get("parameters") or {}).get("properties", {}).get("schema_uri", {})
            if "enum" in uri:
                yield uri["enum"]


def readable(trigger):
    try:
        return not isinstance(trigger, dict) or trigger.get("type") != "regex" or bool(re.compile(str(trigger.get("value"))))
    except re.error:
        return False


def texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def mistyped(wants):
    kinds = {
        "model_family": texts,
        "specific_model_uri": lambda value: isinstance(value, str),
        "min_context_window": lambda value: isinstance(value, (int, float)) and value == int(value),
        "required_features": texts,
    }
    return next((f"{name} has the wrong type" for name, fits in kinds.items() if wants.get(name) is not None and not fits(wants[name])), None)


def vague(bindings):
    for name, binding in bindings.items():
        for wanted in ["type", *PARAMETERS.get(binding.get("type"), [])]:
            if not binding.get(wanted):
                return f"the binding of {name} has no {wanted}"
    return None
