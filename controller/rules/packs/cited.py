"""Parser of citations: the sections that a citation names, and whether it covers a given section.

Citations are written for people: "58 Pa. Code § 674a.11(b), (d), (f)", "§ 674a.4(a)-(c)", "Md. … 8.E, 9.C". A
piece after a comma continues the piece before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = re.compile(r"\([^)]*\)")
_RANGE = re.compile(r"(.*)\(([a-z])\)-\(([a-z])\)")


def sections_of(prefix: str, citation: str) -> list[str]:
    """Return the sections that a citation names, without `prefix`; none if it cites another text."""
    if not citation.startswith(prefix):
        return []
    # a prefix "58 Pa. Code § 674a." leaves "674a." before each later number
    own = prefix.rsplit(maxsplit=1)[-1] if prefix.endswith(".") else ""
    named: list[str] = []
    for piece in re.split(r"[,;] ", citation.removeprefix(prefix)):
        section = piece.removeprefix(own)
        named.extend(_each(_going_on(named[-1], section) if section.startswith("(") else section))
    return named


def _going_on(before: str, piece: str) -> str:
    """Complete a piece that continues the piece `before` it: after "11(b)", "(d)" becomes "11(d)"; after
    "5(c)(2)" it becomes "5(d)", since a letter replaces a letter."""
    for part in _PART.finditer(before):
        if part[0][1].isdigit() == piece[1].isdigit():
            return before[: part.start()] + piece
    return before + piece


def _each(piece: str) -> Iterator[str]:
    found = _RANGE.fullmatch(piece)
    if found is None:
        yield piece
        return
    for letter in range(ord(found[2]), ord(found[3]) + 1):
        yield f"{found[1]}({chr(letter)})"


def cites_section(prefix: str, citation: str, section: str) -> bool:
    """Return whether a citation names this section, a section around it or one inside it."""
    return any(_holds(named, section) or _holds(section, named) for named in sections_of(prefix, citation))


def _holds(outer: str, inner: str) -> bool:
    rest = inner.removeprefix(outer)
    return inner.startswith(outer) and (not rest or rest[0] in " .(")
