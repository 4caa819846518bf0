"""Layout of a round, and of a list of rounds, for a terminal: cards drawn, columns aligned, long texts
wrapped.

It arranges given texts (controller/pages/display/round_page_text.py). It does not depend on the game.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from controller.common.texts.catalogue import SEPARATOR, Catalogue
from controller.game.model.names import Place
from controller.pages.display.round_text import card_text

RecordData = Mapping[str, Any]
GAP = "  "
MIN_COLUMN_CHARS = 24
"""Minimum width of a wrapped column."""


# ------------------------------------------------------------------ columns


def columns(rows: Sequence[Sequence[str]], width: int, right: Iterable[int] = ()) -> Iterator[str]:
    """Yield rows in aligned columns, the last column wrapped to the rest of the width. `right`: columns
    that are aligned to the right."""
    if not rows:
        return
    right = frozenset(right)
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    before = sum(widths) + len(GAP) * len(widths)
    room = max(MIN_COLUMN_CHARS, width - before)
    for row in rows:
        cells = [
            cell.rjust(wide) if at in right else cell.ljust(wide)
            for at, (cell, wide) in enumerate(zip(row, widths, strict=False))
        ]
        wrapped = textwrap.wrap(row[-1], room) if len(row[-1]) > room else [row[-1]]
        yield GAP.join([*cells, wrapped[0]]).rstrip()
        yield from (" " * before + line for line in wrapped[1:])


def _without_empty(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows without the columns that are empty below their name. The first row has the names."""
    kept = [at for at in range(len(rows[0])) if any(row[at] for row in rows[1:])]
    return [[row[at] for at in kept] for row in rows]


# ------------------------------------------------------------------ cards


def _card_text(lying: RecordData) -> str:
    """Return the text of one card: "--" for a place without a card, "??" for an unknown face, in parentheses
    if the card was never turned."""
    if lying["lies"] == "none":
        return "--"
    if lying["face"] is None:
        return "??"
    return card_text(lying["face"]) if lying["turned"] else f"({card_text(lying['face'])})"


def _box(lying: RecordData) -> tuple[str, str, str]:
    text, edge = _card_text(lying).strip("()"), "─" if lying["turned"] else "╌"
    return f"┌{edge * 5}┐", f"│{text:^5}│", f"└{edge * 5}┘"


def cross(cards: Mapping[str, RecordData]) -> Iterator[str]:
    """Yield the lines of a drawing of the cross: five cards at their places, as the dealer sees them."""
    empty = (" " * 7,) * 3
    boxes = {place: _box(cards[place]) for place in cards}
    for row in (
        (None, Place.DOWN_FAR, None),
        (Place.ACROSS_LEFT, Place.MIDDLE, Place.ACROSS_RIGHT),
        (None, Place.DOWN_NEAR, None),
    ):
        parts = [boxes[place] if place else empty for place in row]
        yield from (" ".join(part[line] for part in parts).rstrip() for line in range(3))


# ------------------------------------------------------------------ one round


def round_lines(story: RecordData, texts: Catalogue, width: int) -> Iterator[str]:
    """Yield every line of a round. `story`: the round's texts (controller/pages/display/round_page_text.py);
    `width`: columns of the terminal."""

    def label(name: str) -> str:
        return texts.plain(f"rounds_page.{name}")

    yield f"{story['title']}{SEPARATOR}{story['zone']}"
    yield ""
    yield from columns([(each["label"], each["text"]) for each in story["head"]], width)
    yield from _part(label("cross"), cross(story["cross"]))
    if story["bonus_cards"]:
        yield f"{label('bonus_cards')}: {' '.join(map(_card_text, story['bonus_cards']))}"
    yield from story["read_as"]
    if any(not each["turned"] and each["face"] for each in _cards(story)):
        yield f"( ) {label('not_turned')}"
    for seat in story["seats"]:
        title = GAP.join(
            filter(None, (seat["name"], " ".join(map(_card_text, seat["cards"])), seat["state"]))
        )
        yield from _part(title, _wagers(seat, texts, width))
    yield from _part(label("whole_round"), _sums(story["totals"], texts))
    wrong = list(_wrong(story["troubles"], texts, width)) or [label("nothing_wrong")]
    yield from _part(label("wrong"), wrong)
    if story["corrections"]:
        rows = [(c["clock"], c["where"], c["who"], c["text"]) for c in story["corrections"]]
        yield from _part(label("corrections"), columns(rows, width))
    yield from _part(label("timeline"), _timeline(story["entries"], texts, width))


def _part(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", title, *lines)


def _cards(story: RecordData) -> Iterator[RecordData]:
    yield from story["cross"].values()
    yield from story["bonus_cards"] or ()
    for seat in story["seats"]:
        yield from seat["cards"]


def _wagers(seat: RecordData, texts: Catalogue, width: int) -> Iterator[str]:
    names = ("wager", "amount", "result", "odds", "payout", "hand")
    rows = [[texts.plain(f"rounds_page.{name}") for name in names]]
    for wager in seat["wagers"]:
        hand = SEPARATOR.join(filter(None, (wager["hand"], wager["note"])))
        rows.append([*(wager[name] for name in ("name", "amount", "result", "odds", "payout")), hand])
    yield from columns(rows, width, right=(1, 3, 4))
    stacks = [(wager["name"], wager["chips"]) for wager in seat["wagers"] if wager["chips"]]
    titles = [(texts.plain("rounds_page.wager"), texts.plain("rounds_page.chips"))] if stacks else []
    yield from columns([*titles, *stacks], width)
    yield from _sums(seat["totals"], texts)


def _sums(totals: RecordData, texts: Catalogue) -> Iterator[str]:
    names = {
        "wagered": "wagered", "paid": "paid", "taken": "taken", "net": "player_net",
        "corrected": "net_corrected",
    }  # fmt: skip
    shown = [(name, totals[key]) for key, name in names.items() if totals[key]]
    yield SEPARATOR.join(f"{texts.plain(f'rounds_page.{name}')} {amount}" for name, amount in shown)


def _wrong(troubles: Sequence[RecordData], texts: Catalogue, width: int) -> Iterator[str]:
    if not troubles:
        return
    names = ("since", "where", "lay", "due", "stood", "by", "what")
    rows = [[texts.plain(f"rounds_page.{name}") for name in names]]
    for each in troubles:
        what = SEPARATOR.join(filter(None, (each["text"], each["end"], each["citation"])))
        rows.append([*(each[key] for key in ("since", "where", "lies", "should", "stood", "who")), what])
    yield from columns(_without_empty(rows), width, right=(0,))


def _timeline(entries: Sequence[RecordData], texts: Catalogue, width: int) -> Iterator[str]:
    names = ("since", "clock", "who", "where", "what")
    rows = [[texts.plain(f"rounds_page.{name}") for name in names]]
    rows += [[each[key] for key in ("since", "clock", "who", "where", "text")] for each in entries]
    yield from columns(_without_empty(rows), width, right=(0,))


# ------------------------------------------------------------------ the list


def list_lines(rows: Sequence[RecordData], texts: Catalogue, width: int) -> Iterator[str]:
    """Yield a heading and a line for each round, at most `width` characters wide; long irregularities
    continue on further lines in their own column."""
    names = ("round", "day", "started", "dealer", "outcome", "seats", "wagered", "paid", "taken", "wrong")
    head = [(texts.text(f"rounds_page.{name}", {"number": ""}) or "").strip() for name in names]
    table = [head, *(_line(each) for each in rows)]
    yield from columns(table, width, right=(0, 5, 6, 7, 8))


def _line(each: RecordData) -> list[str]:
    wrong = ", ".join(filter(None, (*each["wrong"], each["corrected"]))) or "-"
    keys = ("day", "clock", "dealers", "outcome")
    sums = ("wagered", "paid", "taken")
    return [
        str(each["number"]), *(each[key] for key in keys), str(each["seats"]), *(each[s] for s in sums), wrong
    ]  # fmt: skip
