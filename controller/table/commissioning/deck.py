"""Test of the shoe with a known deck: the whole pack goes through it, and its reads are compared with the
pack: which cards it read correctly.

Between rounds only, with no card out. If a card of a round is on its way, the shoe is left alone and none of
its frames is acknowledged. The cards shown here lie open before the technician; the order of a deck that will
be played is never shown, because the pack is taken out and shuffled afterwards.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.common.clock import SystemClock
from controller.game.model.cards import DECK
from controller.settings.config import TableConfig
from controller.table.commissioning.asking import ANSWER_TIMEOUT_S, is_there
from controller.table.commissioning.by_hand import Write
from controller.table.commissioning.lines import ReportLine
from controller.table.daemon.devices import open_shoe
from drivers.ports import ShoePort, ShoeReport
from drivers.shoe.session import DRIVER_REPORTS

PERSON_TIMEOUT_S = 60.0
"""Timeout in seconds for a person to draw a card or lift a stack; a device that ejects its cards without a
person is quicker.
"""
BATCH_SIZE = 5
"""Cards in a stack."""
PACK = tuple(str(card) for card in DECK)
FACE_UP, NOT_READ = "FU", "NR"
DECK_CHECK = "the shoe with a known deck"
SHUFFLE_REMINDER = "take all cards out, put them back and have them shuffled before the table plays"


def read_order(file: Path) -> tuple[str, ...]:
    """Return the 52 faces in a file, the first card out of the shoe first. Raises ValueError with one line if
    the file has another content.
    """
    try:
        words = file.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: cannot be read: {error}") from None
    odd = next((word for word in words if word not in PACK), None)
    if odd is not None:
        raise ValueError(f"{file}: {odd}; allowed: a rank A K Q J T 9 to 2, then a suit S H D C")
    if Counter(words) != Counter(PACK):
        found = f"{len(words)} cards, {len(set(words))} of them different"
        raise ValueError(f"{file}: {found}; it takes 52, each once")
    return tuple(words)


def compare_deck(read: Sequence[str], order: Sequence[str] = ()) -> Iterator[ReportLine]:
    """Yield report lines that compare `read`, the faces in the order in which the shoe reported them, with a
    complete pack and, if given, with `order`.
    """
    times = Counter(read)
    wrong = [
        *_named("read twice", [face for face in PACK if times[face] > 1]),
        *_named("no card", [face for face in times if face not in (*PACK, FACE_UP, NOT_READ)]),
        *_named("not read at card", [str(at) for at, face in enumerate(read, 1) if face == NOT_READ]),
        *_named("found face up at card", [str(at) for at, face in enumerate(read, 1) if face == FACE_UP]),
        *_named("never read", [face for face in PACK if not times[face]]),
    ]
    once = sum(times[face] == 1 for face in PACK)
    yield ReportLine(f"deck: {once} of {len(PACK)} cards were read once", "; ".join(wrong))
    if order and not wrong:
        moved = [at for at, (one, other) in enumerate(zip(read, order, strict=True), 1) if one != other]
        where = f"not from card {moved[0]} on, {len(moved)} cards" if moved else ""
        advice = ": the pack, the file, or two cards at once" if moved else ""
        yield ReportLine("deck: in the order of the file", where + advice)


def _named(what: str, which: Sequence[str]) -> Iterator[str]:
    if which:
        yield f"{what}: {' '.join(which[:8])}{' …' if len(which) > 8 else ''}"


async def check_deck(
    config: TableConfig, last: str | None, order: Sequence[str], write: Write
) -> list[ReportLine]:
    """Let a complete pack go through the shoe and return the report lines. `last`: the shoe's last mark in
    the journal.
    """
    shoe = config.keys.shoe
    if shoe is None:
        return []
    if shoe.protocol == "plain":
        return [
            ReportLine(
                DECK_CHECK, todo="a plain shoe does not tell whether cards are out: try it on the display"
            )
        ]
    if not is_there(shoe.port):
        return [ReportLine(DECK_CHECK, f"there is no {shoe.port}")]
    deal = _Deal(open_shoe(config, SystemClock(None)), write)
    try:
        deal.shoe.start(deal.reports.put_nowait, last)
        why = await deal.begin()
        if why:
            return [ReportLine(DECK_CHECK, why)]
        why = await deal.all()
    finally:
        deal.shoe.stop()
    write(SHUFFLE_REMINDER)
    return [*([ReportLine(DECK_CHECK, why)] if why else []), *compare_deck(deal.read, order)]


@dataclass
class _Deal:
    """A pack that goes through the shoe. `read`: faces in the order in which the shoe reported them."""

    shoe: ShoePort
    write: Write
    reports: asyncio.Queue[ShoeReport] = field(default_factory=asyncio.Queue)
    read: list[str] = field(default_factory=list)
    _stacks: bool = True

    async def begin(self) -> str:
        """Prepare the shoe. Returns the reason why the check cannot begin, or "" once the complete deck is in
        the shoe.

        Until then only the greeting is acknowledged; all other frames are left for the daemon.
        """
        while (report := await self._next(ANSWER_TIMEOUT_S)) is not None:
            if report.kind == "STATE" and report.resumed:
                return self._accept_state(report)
            if report.kind == "WELCOME":
                self.shoe.accept(report)
            elif report.kind not in DRIVER_REPORTS:
                return "it has still to tell the controller of a round: start the daemon, end the round"
        return "it opened no session"

    def _accept_state(self, report: ShoeReport) -> str:
        state, _, out, _, mode = report.fields
        if (state, out) != ("READY", "0"):
            return f"it says {state}, {out} cards out: put a whole deck in, ready"
        self._stacks = mode == "STACK"
        self.shoe.accept(report)
        return ""

    async def all(self) -> str:
        """Receive all cards. Returns the reason why the check ended early, or "" after the 52nd card."""
        if not self._stacks:
            self.write(f"draw all {len(PACK)} cards, one after the other")
            return await self._until(len(PACK))
        while len(self.read) < len(PACK):
            more = min(BATCH_SIZE, len(PACK) - len(self.read))
            self.shoe.command("DEAL", str(more))
            if why := await self._until(len(self.read) + more, "DONE", "TAKEN"):
                return why
        return ""

    async def _until(self, cards: int, *after: str) -> str:
        """Receive frames until `cards` cards in total and then a frame of each kind in `after` have come.
        Returns "", or the reason why they have not come."""
        waited = set(after)
        while len(self.read) < cards or waited:
            report = await self._next(PERSON_TIMEOUT_S)
            if report is None:
                return f"after {len(self.read)} cards nothing came for {PERSON_TIMEOUT_S:.0f} s"
            self.shoe.accept(report)
            if report.kind == "CARD":
                self.read.append(report.fields[1])
            elif report.kind == "STACK":
                self.write(f"lift the stack out ({len(self.read)} of {len(PACK)})")
            elif report.kind in ("FAULT", "REFUSED", "LINK_LOST", "TAMPERED", "UNPROVEN", "WELCOME"):
                return f"after {len(self.read)} cards: {' '.join((report.kind, *report.fields))}"
            waited.discard(report.kind)
        return ""

    async def _next(self, seconds: float) -> ShoeReport | None:
        try:
            return await asyncio.wait_for(self.reports.get(), seconds)
        except TimeoutError:
            return None
