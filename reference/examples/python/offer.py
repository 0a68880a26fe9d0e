"""The capabilities that let a conformance run see everything.

Members that would be null are left out of a manifest; "origin" is one of ours.
"""

from source import Capability


def _object(properties=None, required=(), closed=True):
    schema = {"properties": properties or {}, "type": "object"}
    if required:
        schema["required"] = list(required)
    if closed:
        schema["additionalProperties"] = False
    return schema


def _tool(capability_id, version, description, inputs, outputs, **more):
    return {
        "origin": {"language": "python", "written": "by hand"},
        "description": description,
        "output_schema": outputs,
        "input_schema": inputs,
        "kind": "tool",
        "name": capability_id.rpartition(".")[2],
        "version": version,
        "capability_id": capability_id,
        **more,
    }


TEXT = {"type": "string", "minLength": 1, "maxLength": 280}
TIMES = {"type": "integer", "minimum": 1, "maximum": 10}
ANYTHING = _object(closed=False)
NOTHING = _object()


def echo(version, member):
    """An echo whose text stands in the given member."""

    def handle(_source, given, _over):
        return {member: given[member], "repeat": given.get("repeat", 1)}

    schema = {member: TEXT, "repeat": TIMES}
    return Capability(
        _tool("conformance.echo", version, f"Says {member} again.", _object(schema, [member]), _object(schema, [member, "repeat"])),
        handle,
    )


def fail(_source, given, _over):
    raise RuntimeError(given.get("reason", "as announced"))


def dawdle(_source, _given, over):
    over.wait(60)
    return {}


def keep_out(_source, _given, _over):
    return {"secret": "nobody comes here"}


def miscount(_source, _given, _over):
    return {"count": "several"}


def count(source, _given, _over):
    return {"executions": source.executions}


def summarise(_source, given, _over):
    return {"brief": f"{given['topic']}: it depends."}


def greet(_source, given, _over):
    return {"greeting": "Hello " + " and ".join(given.get("names") or [given["name"]])}


GREETING = _object({"greeting": {"type": "string"}}, ["greeting"])
GREET_ONE = Capability(_tool("example.get_greeting", "1.0.0", "Greets somebody.", _object({"name": TEXT}, ["name"]), GREETING), greet)
GREET_MANY = Capability(
    _tool(
        "example.get_greeting",
        "2.0.0",
        "Greets several people.",
        _object({"names": {"type": "array", "items": TEXT, "minItems": 1}}, ["names"]),
        GREETING,
    ),
    greet,
)


def exchange(source, _given, _over):
    return {"now_offered": list(source.exchange(GREET_ONE, GREET_MANY).pair)}


PROMPT = "Two sentences on {{topic}}, for somebody in a hurry."
STYLE = {"title": "style", "lines": ["Short words.", "No jargon."]}

BRIEF = _tool(
    "conformance.brief",
    "1.0.0",
    "Briefs on a topic.",
    _object({"topic": TEXT}, ["topic"]),
    _object({"brief": {"type": "string"}}, ["brief"]),
    kind="skill",
    prompt_template=PROMPT,
    resources=[STYLE],
    required_permissions=["conformance.read"],
    reduction={
        "tools": [{"version": "2.0.0", "capability_id": "conformance.echo"}],
        "skill": {"version": "1.0.0", "capability_id": "conformance.brief"},
        "permissions": ["conformance.read"],
        "prompt_instructions": "You write briefs.\n" + PROMPT,
        "resources": [STYLE],
    },
)


def capabilities():
    """Gives everything that is offered at the start."""
    executions = _object({"executions": {"type": "integer", "minimum": 0}}, ["executions"])
    counted = _object({"count": {"type": "integer"}}, ["count"])
    offered = _object({"now_offered": {"type": "array", "items": {"type": "string"}}}, ["now_offered"])
    return [
        GREET_ONE,
        echo("2.0.0", "text"),
        echo("1.0.0", "message"),
        Capability(BRIEF, summarise),
        Capability(_tool("conformance.fail", "1.0.0", "Never works.", _object({"reason": TEXT}), ANYTHING), fail),
        Capability(_tool("conformance.slow", "1.0.0", "Takes too long.", NOTHING, ANYTHING), dawdle, seconds=0.3),
        Capability(
            _tool("conformance.restricted", "1.0.0", "For nobody.", NOTHING, ANYTHING, required_permissions=["conformance.forbidden"]),
            keep_out,
        ),
        Capability(_tool("conformance.malformed", "1.0.0", "Counts badly.", NOTHING, counted), miscount),
        Capability(_tool("conformance.counter", "1.0.0", "Tells how often a handler was started.", NOTHING, executions), count),
        Capability(_tool("conformance.replace", "1.0.0", "Offers the other version of example.get_greeting.", NOTHING, offered), exchange),
    ]
