"""As much of YAML as packages are written in: block mappings and lists, literal
blocks, flow style on one line, quotes, comments. What is more is refused."""

import json
import re

KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#\[\]{},"'&*!|>%@`][^#]*?)\s*:(?:\s+|$)""")
WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")


class Malformed(Exception):
    """The text is not what this reader reads."""


def read(text):
    """Gives the one document of a text."""
    lines = Lines(text)
    document = lines.block(0)
    if lines.peek() is not None:
        raise Malformed(f"line {lines.at + 1}: not expected here")
    return document


class Lines:
    def __init__(self, text):
        self.all = text.split("\n")
        self.at = 0

    def peek(self):
        """Gives indentation and text of the next line that says something, None at the end."""
        while self.at < len(self.all):
            line = self.all[self.at].rstrip("\r")
            words = line.lstrip(" ")
            if words and not words.startswith("#"):
                if "\t" in line[: len(line) - len(words)] or words in ("---", "..."):
                    raise Malformed(f"line {self.at + 1}: a tab, or a second document")
                return len(line) - len(words), words
            self.at += 1
        return None

    def block(self, least):
        found = self.peek()
        if found is None or found[0] < least:
            return None
        indent, words = found
        if words == "-" or words.startswith("- "):
            return self.sequence(indent)
        if KEY.match(words):
            return self.mapping(indent)
        self.at += 1
        return flow(words)

    def sequence(self, indent):
        items = []
        while (found := self.peek()) and found[0] == indent and (found[1] == "-" or found[1].startswith("- ")):
            rest = found[1][1:].lstrip()
            deeper = indent + len(found[1]) - len(rest)
            if rest and KEY.match(rest):
                self.all[self.at] = " " * deeper + rest  # a mapping that begins behind the dash
                items.append(self.mapping(deeper))
            elif rest:
                self.at += 1
                items.append(flow(rest))
            else:
                self.at += 1
                items.append(self.block(indent + 1))
        return items

    def mapping(self, indent):
        members = {}
        while (found := self.peek()) and found[0] == indent:
            match = KEY.match(found[1])
            if not match:
                raise Malformed(f"line {self.at + 1}: no key")
            key = str(flow(match[1], plain=True))
            if key in members:
                raise Malformed(f"line {self.at + 1}: {key} stands there twice")
            rest = found[1][match.end() :]
            self.at += 1
            if rest[:1] == "|":
                members[key] = self.literal(indent)
            elif rest and not rest.startswith("#"):
                members[key] = flow(rest)
            else:
                below = self.peek()
                lists = below and below[0] == indent and below[1].startswith("-")
                members[key] = self.block(indent if lists else indent + 1)
        if found and found[0] > indent:
            raise Malformed(f"line {self.at + 1}: deeper than what is above")
        return members

    def literal(self, indent):
        start = self.at
        while self.at < len(self.all) and (not self.all[self.at].strip() or self.all[self.at].startswith(" " * (indent + 1))):
            self.at += 1
        lines = [line.rstrip("\r") for line in self.all[start : self.at]]
        while lines and not lines[-1].strip():
            lines.pop()
        margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        return "".join(line[margin:] + "\n" for line in lines)


def flow(text, plain=False):
    """Reads a value on one line."""
    if plain and text[:1] not in "\"'":
        return text
    value, rest = value_of(text, "")
    if rest.strip() and not rest.lstrip().startswith("#"):
        raise Malformed(f"not expected: {rest[:40]}")
    return value


def value_of(text, ends):
    text = text.lstrip()
    if text[:1] == '"':
        try:
            value, length = json.JSONDecoder().raw_decode(text)
        except ValueError as fault:
            raise Malformed(str(fault)) from None
        return value, text[length:]
    if text[:1] == "'":
        match = re.match(r"'((?:[^']|'')*)'", text)
        if not match:
            raise Malformed("a quote is not closed")
        return match[1].replace("''", "'"), text[match.end() :]
    if text[:1] == "[":
        return items_of(text[1:])
    if text[:1] == "{":
        return members_of(text[1:])
    match = re.match(r"(?:(?!\s#)[^,\[\]{}])*" if ends else r"(?:(?!\s#).)*", text)
    word = match[0].strip()
    if word[:1] in ("&", "*", "!", "|", ">", "%", "@", "`"):
        raise Malformed(f"not read here: {word[:20]}")
    if word in WORDS:
        return WORDS[word], text[match.end() :]
    return json.loads(word) if NUMBER.fullmatch(word) else word, text[match.end() :]


def items_of(text):
    items = []
    while not (text := text.lstrip()).startswith("]"):
        item, text = value_of(text, ",]")
        items.append(item)
        text = parted(text, "]")
    return items, text[1:]


def members_of(text):
    members = {}
    while not (text := text.lstrip()).startswith("}"):
        match = re.match(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^,:{}\[\]]+)\s*:""", text)
        if not match:
            raise Malformed("no key in braces")
        key = str(flow(match[1].strip(), plain=True))
        if key in members:
            raise Malformed(f"{key} stands there twice")
        members[key], text = value_of(text[match.end() :], ",}")
        text = parted(text, "}")
    return members, text[1:]


def parted(text, end):
    text = text.lstrip()
    if text.startswith(","):
        return text[1:]
    if not text.startswith(end):
        raise Malformed(f"neither a comma nor {end}")
    return text
