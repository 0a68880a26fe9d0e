"""Ranges of semantic versions, as an invocation may ask for them."""

import re

PART = re.compile(r"(>=|<=|>|<|=|\^|~)?\s*(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-[\w.-]+)?$")


def fits(version, wanted):
    """Says whether a version is within a range: parts that all hold, divided by blanks."""
    parts = re.sub(r"(>=|<=|>|<|=|\^|~)\s+", r"\1", wanted).split() if isinstance(wanted, str) else []
    return bool(parts) and all(_holds(_numbers(version), version, part) for part in parts)


def _numbers(version):
    return tuple(int(n) for n in version.split("-")[0].split("+")[0].split("."))


def _holds(have, version, part):
    if part == version:
        return True
    matched = PART.match(part)
    if not matched:
        return False
    sign, given = matched[1] or "", [int(n) for n in matched.groups()[1:] if n and n.isdigit()]
    low = tuple(given + [0] * (3 - len(given)))
    if sign in (">=", "<=", ">", "<"):
        return {">=": have >= low, "<=": have <= low, ">": have > low, "<": have < low}[sign] and "-" not in version
    if "-" in version or "-" in part:
        return False
    if sign == "^":
        fixed = next((i + 1 for i, n in enumerate(given) if n), len(given))
        return have >= low and have[:fixed] == low[:fixed]
    if sign == "~":
        return have >= low and have[: min(2, len(given))] == low[: min(2, len(given))]
    return list(have[: len(given)]) == given
