"""Harnesses: WireViz files in `hardware/wiring`, their drawings, and the connections in them.

A drawing carries the digest of its file, so that a test detects an outdated one without WireViz and
Graphviz, which are needed for drawing only.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_REPETITIONS = (
    (re.compile(r"<!--.*?-->|<title>.*?</title>|<!DOCTYPE.*?>", re.DOTALL), ""),
    (re.compile(r' (?:font-family="arial"|font-size="14.00"|text-anchor="start"|id="\w+"|class="\w+")'), ""),
    (re.compile(r"\n\s*\n+"), "\n"),
)
"""Repetitions in Graphviz's output, and their replacements."""
_DRAWN = re.compile(r'(?:points|d)="[^"]*"')
_TENTHS = re.compile(r"\.\d+")
_STYLE = "<style>text{font:14px arial,sans-serif}</style>"


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def mark(file: Path) -> str:
    """Return the first line of this file's drawing."""
    return f"<!-- {file.name} {digest(file)} -->"


def draw(file: Path) -> str:
    """Return the SVG of a WireViz file. Raises `CalledProcessError`, or `FileNotFoundError` without
    WireViz."""
    wireviz = Path(sys.executable).with_name("wireviz")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([wireviz, "-f", "s", "-o", folder, file], check=True, capture_output=True)
        drawn = Path(folder, f"{file.stem}.svg").read_text(encoding="utf-8")
    for what, by in _REPETITIONS:
        drawn = what.sub(by, drawn)
    drawn = _DRAWN.sub(lambda line: _TENTHS.sub("", line.group()), drawn)
    body = drawn[drawn.index("<svg") :]
    return f"{mark(file)}\n{body.replace('>', f'>{_STYLE}', 1)}"


def wires(harness: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the two ends of each wire as ``CONNECTOR.PIN``."""
    for row in harness["connections"]:
        (first, ones), (last, others) = _end(row[0]), _end(row[-1])
        yield from zip(_pins(first, ones), _pins(last, others), strict=True)


def _end(of: dict[str, list[int | str]] | str) -> tuple[str, list[int | str]]:
    """Return connector and pins of an end; a connector with a single point names no pins."""
    return (of, [1]) if isinstance(of, str) else next(iter(of.items()))


def _pins(connector: str, pins: list[int | str]) -> list[str]:
    found: list[int] = []
    for pin in pins:
        low, _, high = str(pin).partition("-")
        found += range(int(low), int(high or low) + 1)
    return [f"{connector}.{pin}" for pin in found]
