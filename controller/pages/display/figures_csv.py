"""The figures of a period as CSV: one figure per row, named as in `FiguresView`.

This module must never compute a sum. Money is whole cents, shares are tenths or basis points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from controller.common.files.csv_text import csv_text
from controller.pages.display.figures_view import FiguresView

_COLUMNS = ("group", "at", "figure", "value")
"""Columns. `at`: local day and time of an hour or a dealer's turn, else empty. Unknown values are empty."""
Sum = Literal[
    "period", "since", "minutes", "zone", "rounds", "void", "players_tenths",
    "steps", "errors", "wagered", "win", "hold_bp",
]  # fmt: skip
SUMS: tuple[tuple[str, Sum], ...] = (
    ("period", "period"), ("since", "since"), ("minutes", "minutes"), ("zone", "zone"),
    ("rounds", "rounds"), ("void", "void"), ("players_tenths", "players_tenths"), ("steps", "steps"),
    ("errors", "errors"), ("wagered_cents", "wagered"), ("win_cents", "win"), ("hold_bp", "hold_bp"),
)  # fmt: skip


def figures_csv(figures: FiguresView) -> str:
    """Return rows for the period, its alerts and exceptions, each hour and each dealer's turn."""
    return csv_text([_COLUMNS, *_sums(figures), *_hours(figures), *_dealers(figures)])


def _sums(figures: FiguresView) -> Iterator[tuple[object, ...]]:
    yield from (("period", "", name, figures[key]) for name, key in SUMS)
    yield from (("alerts", "", grade, count) for grade, count in figures["alerts"].items())
    yield from (("exceptions", "", code, count) for code, count in figures["exceptions"].items())


def _hours(figures: FiguresView) -> Iterator[tuple[object, ...]]:
    for hour in figures["hours"]:
        at = f"{hour['day']} {hour['clock']}"
        yield "hour", at, "rounds", hour["rounds"]
        yield "hour", at, "alerts", hour["alerts"]
        yield "hour", at, "errors", hour["errors"]
        yield "hour", at, "wagered_cents", hour["wagered"]
        yield "hour", at, "win_cents", hour["win"]


def _dealers(figures: FiguresView) -> Iterator[tuple[object, ...]]:
    for turn in figures["dealers"]:
        yield "dealer", f"{turn['day']} {turn['clock']}", turn["number"], turn["until"]
