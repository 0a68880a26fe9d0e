"""A capability package: what a file says, whether it may be used, and who signed it."""

import base64
import hashlib
import json
import re

import ed25519
import rules
import yaml

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
URI = re.compile(
    r"did:nuwa:cap:([A-Za-z0-9][\w.-]*)@(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?", re.ASCII
)
SIGNATURE = re.compile(rb"""^(  signature:[ ]+)("[^"\n]*"|'[^'\n]*'|[^\s#]+)""", re.MULTILINE)
FORBIDDEN = re.compile(r"(ignore|disregard) .{0,40}(instructions|rules)", re.IGNORECASE)


class Refused(Exception):
    """The package is not installed."""


class Package:
    def __init__(self, text):
        try:
            document = yaml.read(text.decode())
            self.metadata = document["metadata"]
            self.uri = self.metadata["id"]
            self.schema = json.loads(document["schema"])
            fault = rules.broken(document, self.schema)
            if fault:
                raise Refused(fault)
            self.schema_uri = self.schema["$id"]
            self.prompt = document.get("prompt") or ""
            self.tools = {tool["function"]["name"]: tool["function"] for tool in document.get("tools") or []}
            self.bindings = document.get("tool_bindings") or {}
            self.triggers = [(t["type"], t["value"]) for t in self.metadata.get("triggers") or []]
            self.verbs = (self.metadata.get("permissions") or {}).get("require") or []
        except (yaml.Malformed, ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
            raise Refused(f"this is no package: {fault!r}") from None
        match = URI.fullmatch(self.uri)
        if not match:
            raise Refused("the id is no capability URI")
        for name in self.tools:
            if name.startswith("state.") and name not in self.verbs:
                raise Refused(f"{name} is not declared")
        for name in self.bindings:
            if name not in self.tools:
                raise Refused(f"the binding of {name} is for no tool")
        if FORBIDDEN.search(self.prompt):
            raise Refused("the prompt is an attack")
        self.name = match[1]
        self.title = self.metadata.get("name") or self.name
        self.scope = self.metadata.get("memory_scope") or self.name

    def matches(self, message):
        words = message.lower()
        return any(
            re.search(value, message) if kind == "regex" else kind == "keyword" and value.lower() in words for kind, value in self.triggers
        )

    def model_among(self, names):
        """Gives the first model of a family that is asked for, else the first of all."""
        families = (self.metadata.get("llm_requirements") or {}).get("model_family") or []
        wanted = [name for name in names if any(name.startswith(family) for family in families)]
        return (wanted or names or ["any"])[0]


def check_content(cid, text):
    """Refuses bytes that are not those of the CID: version 1, raw, SHA-256, in base 32."""
    digest = b"\x01\x55\x12\x20" + hashlib.sha256(text).digest()
    if cid != "b" + base64.b32encode(digest).decode().lower().rstrip("="):
        raise Refused("these are not the bytes of that CID")


def check_signature(text, did):
    """Refuses what the did:key did not sign, with the signature blanked out."""
    match = SIGNATURE.search(text)
    value = match[2].decode(errors="replace").strip("\"'") if match else ""
    if not value.startswith("z") or not did.startswith("did:key:z"):
        raise Refused("there is no signature, or nobody to have made it")
    signed = text[: match.start(2)] + b'""' + text[match.end(2) :]
    key = base58(did.removeprefix("did:key:z"))
    if key[:2] != b"\xed\x01" or not ed25519.holds(key[2:], hashlib.sha256(signed).digest(), base58(value[1:])):
        raise Refused("the author did not sign this")


def base58(text):
    """Gives the bytes, none where the text is not in base 58."""
    number = 0
    for letter in text:
        if letter not in ALPHABET:
            return b""
        number = number * 58 + ALPHABET.index(letter)
    return b"\0" * (len(text) - len(text.lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")
