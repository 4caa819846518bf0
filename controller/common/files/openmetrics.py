"""Figures for a monitor as OpenMetrics 1.0 text. Names and label values are the caller's, already valid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PREFIX = "crisscross_"
Samples: TypeAlias = Iterable[tuple[Mapping[str, str], int]]
"""Labels and value of each sample of a family."""


def family(name: str, kind: Literal["gauge", "counter"], words: str, samples: Samples) -> str:
    """Return one family: its type, its help and its samples."""
    ending = "_total" if kind == "counter" else ""
    lines = [f"# TYPE {PREFIX}{name} {kind}", f"# HELP {PREFIX}{name} {words}"]
    for labels, value in samples:
        named = ",".join(f'{key}="{each}"' for key, each in labels.items())
        lines.append(f"{PREFIX}{name}{ending}{f'{{{named}}}' if named else ''} {value}")
    return "".join(f"{line}\n" for line in lines)


def text(families: Iterable[str]) -> str:
    """Return the complete text of these families."""
    return "".join([*families, "# EOF\n"])
