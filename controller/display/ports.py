"""The port of the display: what the web pages ask of the running table, and nothing more.

The runtime implements `DisplaySource`; tests use a scripted one. Whatever comes through here leaves the
process, so an implementation may only return what `Table.view()` made public: this package cannot take a
face back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from controller.game.model.events import PeopleEvent
from controller.game.showing.view import View

Unsubscribe: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a touch was not taken. `code` is a key of the catalogue's `refusals` or `codes`; `values` are
    plain data for its words (seat, wager, amount, should, place, least, most, options: cents and names)."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


class DisplaySource(Protocol):
    """The table as the pages see it. Every call is made on the event loop's thread; none may block."""

    def latest(self) -> View:
        """The newest view. Its `version` grows with every change."""

    def subscribe(self, wake: Callable[[], None]) -> Unsubscribe:
        """Call `wake` after every change of the view, on the loop's thread; it returns at once and
        fetches `latest()` in its own time, so a slow page never holds anything up."""

    async def touch(self, event: PeopleEvent) -> Refused | None:
        """Verify, journal, handle. Returns when the event is on stable storage, or why it was refused."""

    async def recall(self) -> Sequence[Mapping[str, Any]]:
        """Up to ten rounds, the newest first: round records (controller/COMMANDS.md) in which every face
        that was never turned is None. The round in progress leads with `"outcome": "in_progress"`."""

    def floor(self) -> Mapping[str, Any]:
        """What the floor page shows beside the view:
        {"events": [{"utc", "kind", "seat", "wager", "place", "amount", "code", "face", "by"} newest first,
                    at most 50, faces of turned cards only; `kind` is a key of the catalogue's `events`],
         "figures": {"rounds", "rounds_per_hour", "players_per_round", "alerts_per_hour": {grade: n},
                     "exceptions": {code: n}, "steps", "steps_corrected"}}; a figure not known yet is None."""
