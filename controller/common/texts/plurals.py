"""Counts with English nouns, for a terminal. Screens take their texts from the catalogue."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return "1 drill", "2 drills", "2 touches"."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{ending}"
