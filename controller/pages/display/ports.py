"""The port of the display: what the web pages ask of the running table, and nothing more.

The runtime implements `DisplaySource`; tests use a scripted one. Whatever comes through here leaves the
process, so an implementation may only return what `Table.view()` made public: this package cannot take a
face back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from controller.game.model.irregularities import Code
from controller.game.model.naming import FOLDED_BET
from controller.game.showing.view import View
from controller.pages.display.devices_view import DevicesView
from controller.pages.display.figures_view import FiguresView, Period

MAX_FIND_CHARS = 100
"""Length of a free-text search."""
MAX_LISTED = 5000
"""Rounds that one list or file may have."""
MAX_ROUND = 10**9
"""Largest number of a round."""
ROUND_KINDS = ("any", "void", "corrected", *(code.value for code in Code), FOLDED_BET)
"""Irregularities by which ended rounds are listed."""
MIN_SCREEN_PERCENT = 80
"""Dimmest screen on which all text keeps the contrast of WCAG 2.2 AA (tests/display/test_room.py)."""
MIN_LAMPS_PERCENT = 20
"""Dimmest lamps, as the driver has it (`drivers/ports.py`)."""
Unsubscribe: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """Refusal of a touch. `code` is a key of the catalogue's `refusals` or `codes`; `values` are plain data
    for its words (seat, wager, amount, should, place, least, most, options: cents and names)."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


class TableGone(Exception):
    """The table has stopped: nothing is answered any more."""


class DisplaySource(Protocol):
    """The table as the pages see it. Every call is made on the event loop's thread; none may block."""

    def latest(self) -> View:
        """The newest view. Its `version` grows with every change."""

    def subscribe(self, wake: Callable[[], None]) -> Unsubscribe:
        """Call `wake` after every change of the view, on the loop's thread; it returns at once and
        fetches `latest()` in its own time, so a slow page never holds anything up."""

    async def touch(self, body: bytes) -> Refused | None:
        """Parse, authenticate, verify, journal, handle. Return when the event is on stable storage, or why it
        was refused. `body`: the JSON of the request, at most BODY_LIMIT bytes; it holds no role, channel or
        proof. Raise TouchError if it is no touch (`touches.py`)."""

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        """Up to ten rounds, the newest first: round records (controller/COMMANDS.md) in which every face
        that was never turned is None. The round in progress leads with `"outcome": "in_progress"`."""

    async def ended(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Rounds that have ended, in words, with turned faces only. `asked`: {"do": "round", "number"}, or
        {"do": "list" or "csv", "wanted": {last, day, dealer, seat, irregularity, amount}}, or {"do": "luck"}
        for win against expectation, each with a `language`. The answer: {"round"}
        (controller/pages/display/round_page_text.py), {"rounds", "of"}, {"csv"} or {"luck"}
        (record/timeline/luck.py); or {"missing": "no_round" or "in_play"}, {"fault": words}."""

    async def floor(self) -> Mapping[str, Any]:
        """Return the data of the floor page beside the view: {"events": [{"utc", "kind", "seat", "wager",
        "place", "places", "amount", "code", "face", "by"}, the newest first, at most 50, faces of turned
        cards only; `kind` is a key of the catalogue's `events`], "figures": those of this shift, and
        "rounds_per_hour", "alerts_per_hour": {grade: n} of the last hour, None while they are not known}."""

    async def figures(self, period: Period) -> FiguresView:
        """Return the sums of the rounds of a period. Nothing is read again for it."""

    async def devices(self) -> DevicesView:
        """Return the state of every device, for the technician, from counters that are kept anyway."""
