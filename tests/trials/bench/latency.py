"""Time from a card to its ACK, its lamp and its prompt: the real daemon, 42 scanning readers, a real
Chromium.

All players lay two antes and fold at once, so that rounds are short and most of the time is spent on cards.
No card is left out because of its figure.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from controller.game.model.names import ANTES, SEATS, Circle
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.bench import Hands, Pace, TableStopped, ViewData, play
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Dealer, Floorperson
from controller.mock.people.opening import open_table
from tests.mocked import cpu_s
from tests.trials.bench.figures import spread
from tests.trials.bench.page import Noted, dealer_page
from tests.trials.bench.wired import Drawn, WiredTable

ANTE = 500
STALL_S = 60.0
STARTS = 5


class Folders:
    """Six players who lay both antes and fold at the first decision."""

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        if view["phase"] != "betting":
            return
        for seat in SEATS:
            for wager in ANTES:
                circle = Circle(seat, wager)
                if felt.amount(circle) != ANTE:
                    yield SetChips(circle, ANTE, once=f"{view['round']}:{seat}:{wager}:lay")

    def ready(self, _view: ViewData, felt: Felt) -> bool:
        return all(felt.amount(Circle(seat, wager)) == ANTE for seat in SEATS for wager in ANTES)

    def folds(self, _view: ViewData, _seat: int) -> bool:
        return True


async def _starts(table: WiredTable, times: int) -> list[float]:
    """Start the daemon `times` times. Returns for each start the seconds from the start of the process to
    READY=1, when its devices and connections are open."""
    loop = asyncio.get_running_loop()
    took = []
    for _ in range(times):
        began = loop.time()
        await table.daemon.start()
        took.append(loop.time() - began)
        await table.daemon.stop()
    return took


async def measure_start(times: int = STARTS) -> float:
    """Return the median time in seconds from starting the daemon until it is ready."""
    table = WiredTable()
    try:
        await table.start_devices()
        took = await _starts(table, times)
    finally:
        await table.stop()
    return round(sorted(took)[len(took) // 2], 3)


async def measure_daemon(kind: str, seconds: float) -> float:
    """Return the daemon's percent of a processor while an open table waits and its readers are read."""
    table = WiredTable(kind=kind)
    try:
        await table.start()
        await open_table(Hands(table, Pace(None)), STALL_S)
        loop, before = asyncio.get_running_loop(), cpu_s(table.daemon.pid)
        began = loop.time()
        await asyncio.sleep(seconds)
        took, busy = loop.time() - began, cpu_s(table.daemon.pid) - before
    finally:
        await table.stop()
    return round(100 * busy / took, 1)


async def measure_cards(cards: int, seed: int = 1) -> dict[str, dict[str, float]]:
    """Return `card_to_ack_ms`, `card_to_lamp_ms` and `card_to_prompt_ms` over at least `cards` cards."""
    table = WiredTable(seed)
    players = Folders()
    people = (Dealer(seed, players.folds, players.ready), Floorperson(), players)
    try:
        await table.start()
        hands = Hands(table, Pace(None))
        await open_table(hands, STALL_S)
        async with dealer_page(table.port) as page:
            await play(hands, people, lambda _view: len(table.drawn) >= cards, stall=STALL_S)
            await asyncio.sleep(0.5)
            noted = await page.noted()
    finally:
        await table.stop()
    return _figures(table.drawn, noted)


async def measure_sealed(cards: int, seed: int = 1, link: int = 2) -> dict[str, dict[str, Any]]:
    """Measure the time from a card to its ACK with a shoe that authenticates its frames. No page is open."""
    table = WiredTable(seed, link)
    players = Folders()
    people = (Dealer(seed, players.folds, players.ready), Floorperson(), players)
    try:
        await table.start()
        hands = Hands(table, Pace(None))
        await open_table(hands, STALL_S)
        await play(hands, people, lambda _view: len(table.drawn) >= cards, stall=STALL_S)
    finally:
        await table.stop()
    return {f"card_to_ack_ms_link_{link}": _ms([card.timed.ack - card.timed.card for card in table.drawn])}


def _figures(drawn: list[Drawn], noted: Noted) -> dict[str, dict[str, Any]]:
    timed = [card.timed for card in drawn]
    return {
        "card_to_ack_ms": _ms([card.ack - card.card for card in timed]),
        "card_to_lamp_ms": _ms([card.lamp - card.card for card in timed if card.lamp is not None]),
        "card_to_prompt_ms": _ms([_shown(card, noted) - card.timed.card for card in drawn]),
    }


def _ms(seconds: list[float]) -> dict[str, Any]:
    return {**spread([1000 * value for value in seconds]), "cards": len(seconds)}


def _shown(card: Drawn, noted: Noted) -> float:
    """Return the time at which the page first showed the prompt that the card caused."""
    for at, prompt in noted:
        if at >= card.timed.card and prompt == card.prompt:
            return at
    raise TableStopped(f"the page never showed {card.prompt!r}")
