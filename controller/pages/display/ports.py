"""Interface of the web pages to the running table: every request that they can make.

The daemon implements `DisplaySource`; tests use a scripted one. All data returned here leave the process, so
an implementation may only return what `Table.view()` made public: this package cannot retract a face.
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
"""Maximum number of characters of a free-text search."""
MAX_LISTED = 5000
"""Maximum number of rounds in one list or file."""
MAX_ROUND = 10**9
"""Largest number of a round."""
ROUND_KINDS = ("any", "void", "corrected", *(code.value for code in Code), FOLDED_BET)
"""Filters for irregularities of ended rounds."""
MIN_SCREEN_PERCENT = 80
"""Lowest brightness at which all text keeps the contrast of WCAG 2.2 AA (tests/display/test_room.py)."""
MIN_LAMPS_PERCENT = 20
"""Lowest brightness of the lamps, the same as in the driver (`drivers/ports.py`)."""
Unsubscribe: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """Refusal of a touch. `code`: a key of the catalogue's `refusals` or `codes`.

    `values`: plain data for its text (seat, wager, amount, should, place, least, most, options: cents and
    names).
    """

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Withheld(Exception):
    """Raised if a request is not answered during an exam."""


class TableGone(Exception):
    """Raised if the table has stopped or is silent, so that requests cannot be answered."""


HEARTBEAT_INTERVAL_S = 0.5
"""Seconds between two heartbeats of the table, which every page gets."""


class DisplaySource(Protocol):
    """The running table for the pages. Call it on the event loop's thread only; no call may block."""

    def latest(self) -> View:
        """Return the newest view. Its `version` grows with every change."""

    def subscribe(self, wake: Callable[[], None]) -> Unsubscribe:
        """Call `wake` after every change of the view, on the loop's thread.

        `wake` must return at once and fetch `latest()` later, so that a slow page delays nothing.
        """

    async def touch(self, body: bytes) -> Refused | None:
        """Parse, authenticate, verify, journal and handle a touch.

        Returns None once the event is on stable storage, else the refusal. `body`: the JSON of the request,
        at most BODY_LIMIT bytes; it contains no role, channel or proof. Raises TouchError if the body is
        not a valid touch (`touches.py`).
        """

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        """Return up to ten rounds, the newest first, as round records (controller/COMMANDS.md).

        A face that was never turned is None. The round in progress is first, with `"outcome":
        "in_progress"`.
        """

    async def ended(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return ended rounds as text, with turned faces only.

        Raises Withheld during an exam, as do `recall` and `figures`.

        `question`: {"do": "round", "number"}, or {"do": "list" or "csv", "wanted": {last, day, dealer, seat,
        irregularity, amount}}, or {"do": "luck"} for win against expectation, each with a `language`. The
        answer: {"round"} (controller/pages/display/round_page_text.py), {"rounds", "of"}, {"csv"} or {"luck"}
        (record/timeline/luck.py); or {"missing": "no_round" or "in_play"}, {"fault": words}.
        """

    async def floor(self) -> Mapping[str, Any]:
        """Return the data of the floor page that are not in the view.

        {"events": [{"utc", "kind", "seat", "wager", "place", "places", "amount", "code", "face", "by"}, the
        newest first, at most 50, faces of turned cards only; `kind` is a key of the catalogue's `events`],
        "figures": those of this shift, with "rounds_per_hour" and "alerts_per_hour": {grade: n} of the last
        hour, None if unknown}.
        """

    async def figures(self, period: Period) -> FiguresView:
        """Return the figures of a period from the tally, without reading the rounds again."""

    async def devices(self) -> DevicesView:
        """Return the state of every device for the technician's page, from the drivers' counters."""


class RemoteSource(DisplaySource, Protocol):
    """`DisplaySource` in another process than the table.

    Its methods raise TableGone while the table is silent, so that no page gets an old view. `subscribe` calls
    `wake` after each heartbeat too.
    """

    def heartbeats(self) -> int:
        """Return the number of heartbeats that the table has sent, one every HEARTBEAT_INTERVAL_S."""
