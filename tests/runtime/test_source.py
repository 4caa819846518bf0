"""The display gets complete views, answers only after the commit, and rounds with turned faces only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.cards import DECK
from controller.game.model.effects import CorrectRecord, Effect
from controller.game.model.names import CROSS, Key, Method, Place, Wager
from controller.game.model.round import Deal, Dealt, Round
from controller.game.model.state import TableState
from controller.game.phases.corrections import entry_of
from controller.game.rulebook.wagers import Refusal
from controller.pages.display.devices_view import DevicesView
from controller.pages.display.ports import DisplaySource, Refused
from controller.pages.display.touches import Correct, SignOn
from controller.table.display_source.authenticator import Authenticator
from controller.table.display_source.figures import EVENTS_SHOWN, Figures
from controller.table.display_source.source import RECALLED, Source, public_record, round_in_progress
from tests.display.devices import devices
from tests.game.felt import pack
from tests.runtime.fakes import Bench, bench, pump


async def untold(_event: events.PersonTried) -> bool:
    return True


OPEN = Authenticator({}, lambda _who, _channel: False, untold, open_=True)
FACES = dict(zip(CROSS, DECK[:5], strict=True))


SIGN_ON = json.dumps(SignOn(number="D7", about="dealer 0").body()).encode()


def correction(number: int, seat: int, wager: Wager, cents: int) -> bytes:
    touch = Correct(
        badge="B1", round=number, seat=seat, wager=wager, cents=cents, reason="why",
        about=f"record {number}.0",
    )  # fmt: skip
    return json.dumps(touch.body()).encode()


def record(number: int) -> dict[str, Any]:
    """Return the record of a round as the core writes it, with every face that left the shoe."""
    seat = {"seat": 1, "cards": [DECK[5], DECK[6]]}
    return {
        "round": number, "cross": {str(place): face for place, face in FACES.items()},
        "bonus_cards": None, "set_aside": [DECK[7]], "seats": [seat],
        "irregularities": [{"code": "overpaid", "phase": "settlement"}], "corrections": [],
        "settlement_order": [[1, "ante_across"], [1, "across"]],
    }  # fmt: skip


def state(*turned: str) -> TableState:
    """Return the state of a round in which only the cards at these places were turned."""
    cards = {str(place): Dealt(n, face) for n, (place, face) in enumerate(FACES.items(), 1)}
    played = Round(1, "", Method.AUTOMATED_SHOE, {}, Deal(), cards=cards, turned=frozenset(turned))
    return TableState(round=played)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Bench]:
    made = bench(tmp_path / "journal.sqlite")
    yield made
    made.journal.close()


async def no_rounds() -> list[dict[str, Any]]:
    return []


async def no_devices() -> DevicesView:
    return devices()


async def no_reader(_asked: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"missing": "no_round"}


@pytest.fixture
def source(table: Bench) -> Source:
    return Source(table.engine, no_rounds, no_devices, no_reader, OPEN)


def test_the_source_implements_the_interface_of_the_display(source: Source) -> None:
    display: DisplaySource = source
    assert display.latest()["version"] == 0


def test_a_subscriber_is_woken_until_it_unsubscribes(table: Bench, source: Source) -> None:
    woken: list[int] = []
    leave = source.subscribe(lambda: woken.append(1))
    table.engine.inbox.put_key("confirm")
    pump(table.engine)
    leave()
    table.engine.inbox.put_key("confirm")
    pump(table.engine)
    assert woken == [1]
    assert source.latest()["version"] == 2


async def test_a_touch_waits_for_the_journal(table: Bench, source: Source) -> None:
    waiting = asyncio.create_task(source.touch(SIGN_ON))
    await asyncio.sleep(0)
    early = waiting.done()
    pump(table.engine)
    assert (early, await waiting, table.kinds()) == (False, None, ["DealerSignedOn"])


async def test_a_refusal_comes_with_its_values(table: Bench, source: Source) -> None:
    table.game.refuse = lambda _: Refusal("bet_out_of_range", "x", {"least": 500})
    waiting = asyncio.create_task(source.touch(SIGN_ON))
    await asyncio.sleep(0)
    pump(table.engine)
    assert (await waiting) == Refused("bet_out_of_range", {"least": 500})


async def test_a_page_that_disconnects_while_waiting_has_no_effect(table: Bench, source: Source) -> None:
    waiting = asyncio.create_task(source.touch(SIGN_ON))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    pump(table.engine)
    assert table.kinds() == ["DealerSignedOn"]


def test_the_version_counts_changes_of_the_view(table: Bench, source: Source) -> None:
    table.game.view = lambda: {"version": len(table.game.state), "seats": []}  # type: ignore[method-assign]
    versions = [source.latest()["version"]]
    for seats in ([], [], [3], [3]):
        table.engine.inbox.put_key("confirm")
        pump(table.engine)
        shown = list(seats)
        table.game.view = lambda shown=shown: {  # type: ignore[method-assign]
            "version": len(table.game.state), "seats": shown,
        }  # fmt: skip
        table.engine._view = None
        versions.append(source.latest()["version"])
    assert versions == [0, 0, 0, 1, 1]


# ---------------------------------------------------------------------- rounds


def faces_in(data: object) -> set[str]:
    if isinstance(data, Mapping):
        return {face for value in data.values() for face in faces_in(value)}
    if isinstance(data, list | tuple):
        return {face for value in data for face in faces_in(value)}
    return {data} if isinstance(data, str) and data in DECK else set()


def test_only_turned_faces_are_recalled() -> None:
    kept = public_record(record(1), state(Place.MIDDLE, Place.DOWN_FAR))
    assert faces_in(kept) == {FACES[Place.MIDDLE], FACES[Place.DOWN_FAR]}


def test_a_round_unknown_to_the_former_state_is_not_shown() -> None:
    assert faces_in(public_record(record(1), TableState())) == set()


async def test_the_last_ten_rounds_are_listed_newest_first(table: Bench, source: Source) -> None:
    table.game.view = lambda: {"seats": []}  # type: ignore[method-assign]
    for number in range(1, 13):
        source.keep(record(number), state())
    assert [each["round"] for each in await source.recall()] == list(range(12, 2, -1))


async def test_older_rounds_are_read_once(table: Bench) -> None:
    table.game.view = lambda: {"seats": []}  # type: ignore[method-assign]
    reads: list[int] = []

    async def older() -> list[dict[str, Any]]:
        reads.append(1)
        return [public_record(record(number), state()) for number in range(1, 8)]

    source = Source(table.engine, older, no_devices, no_reader, OPEN)
    for number in (7, 8):
        source.keep(record(number), state())
    for _ in range(2):
        recalled = await source.recall()
    assert ([each["round"] for each in recalled], reads) == ([8, 7, 6, 5, 4, 3, 2, 1], [1])
    assert len(recalled) <= RECALLED


async def test_a_recalled_round_shows_its_correction(table: Bench, source: Source) -> None:
    table.game.view = lambda: {"seats": []}  # type: ignore[method-assign]
    for number in (1, 2):
        source.keep(record(number), state())
    for report_correction in table.engine.on_correction:
        report_correction(1, {"why": "short"})
        report_correction(99, {"why": "of a round that is not kept"})
    newest, oldest = await source.recall()
    assert (newest["corrections"], oldest["corrections"]) == ([], [{"why": "short"}])


async def test_a_correction_must_concern_a_wager_of_the_round_within_its_limit(
    table: Bench, source: Source
) -> None:
    """The table stores only the last round, so the display source checks corrections of the ten rounds that
    can be recalled."""
    table.game.pack = pack()
    seat = {"seat": 1, "cards": [], "wagers": {"across": {"amount": 1000}}}
    for number in range(1, 13):
        source.keep(record(number) | {"seats": [seat]}, state())

    async def refusal_of(*words: Any) -> tuple[str, Any] | None:
        waiting = asyncio.create_task(source.touch(correction(*words)))
        await pumped(table, waiting)
        refused = await waiting
        return None if refused is None else (refused.code, dict(refused.values))

    assert await refusal_of(12, 1, Wager.ACROSS, 501_000) is None
    assert await refusal_of(3, 1, Wager.ACROSS, 501_001) == ("beyond_the_stake", {"most": 501_000})
    assert await refusal_of(3, 2, Wager.ACROSS, 500) == ("wager_not_in_round", {})
    assert await refusal_of(2, 1, Wager.ACROSS, 500) == ("round_too_old", {"number": RECALLED})
    table.game.refuse = lambda _: Refusal("unknown_badge", "")
    assert await refusal_of(2, 1, Wager.ACROSS, 500) == ("unknown_badge", {})
    assert table.kinds() == ["RoundCorrected"]


async def pumped(table: Bench, *waiting: asyncio.Task[Any]) -> None:
    """Run the engine until all these requests are answered."""
    while not all(each.done() for each in waiting):
        await asyncio.sleep(0)
        pump(table.engine)


async def test_only_one_of_two_simultaneous_corrections_is_accepted(table: Bench, source: Source) -> None:
    """Two floorpersons correct the same round at the same moment, while the pages of both show it as not
    corrected."""
    table.game.pack = pack()
    seat = {"seat": 1, "cards": [], "wagers": {"across": {"amount": 1000}}}
    source.keep(record(1) | {"seats": [seat]}, state())

    def corrected(event: events.Event) -> list[Effect]:
        assert isinstance(event, events.RoundCorrected)
        return [CorrectRecord(event.round, entry_of(event, "2026-11-20T20:00:00.000Z"))]

    async def both() -> list[Refused | None]:
        waiting = [
            asyncio.create_task(source.touch(correction(1, 1, Wager.ACROSS, cents))) for cents in (500, 600)
        ]
        await pumped(table, *waiting)
        return [each.result() for each in waiting]

    table.game.react = corrected
    assert await both() == [None, Refused("already_corrected")]
    assert table.kinds() == ["RoundCorrected"]


def test_the_round_in_progress_comes_first() -> None:
    face, down = {"lies": "up", "face": "TH"}, {"lies": "down", "face": None}
    seat = {
        "seat": 3, "player": "3", "in_round": True, "folded_at": None, "cards": [down, down], "hands": {},
        "circles": {
            "across": {"wager": 500, "result": "win", "paid": 1500},
            "down": {"wager": None, "result": None, "paid": None},
            "middle": {"wager": 700, "result": None, "paid": -700},
        },
    }  # fmt: skip
    view = {
        "round": 9, "cross": {"middle": face}, "bonus_cards": None, "set_aside": 0,
        "seats": [seat, {**seat, "seat": 4, "in_round": False}],
    }  # fmt: skip
    found = round_in_progress(view)
    assert found is not None
    assert (found["outcome"], found["cross"]) == ("in_progress", {"middle": "TH"})
    assert [(each["seat"], each["cards"], list(each["wagers"])) for each in found["seats"]] == [
        (3, [None, None], ["across", "middle"])
    ]
    settled = found["seats"][0]
    assert [(each["result"], each["payout"]) for each in settled["wagers"].values()] == [
        ("win", 1500), ("forfeit", 0),
    ]  # fmt: skip
    assert (settled["paid"], settled["taken"]) == (1500, 700)


# ---------------------------------------------------------------------- the floor page


def test_the_floor_sees_the_last_events_and_no_face() -> None:
    figures = Figures()
    for at in range(100):
        stamp = events.Stamp(at, "2026-11-20T20:20:00.000Z")
        for event in (
            events.CardLeftShoe(1, DECK[0]),
            events.FaceEntered("middle", DECK[1]),
            events.Reported("x", face=DECK[2]),
        ):
            figures.see(event, stamp)
        figures.see(events.KeyPressed(Key.CONFIRM), stamp)
    shown = figures.events()
    assert len(shown) == EVENTS_SHOWN
    assert (shown[0]["kind"], shown[0]["key"]) == ("key_pressed", "confirm")
    assert faces_in(shown) == set()


def test_the_list_omits_unchanged_circles() -> None:
    figures, chip = Figures(), events.Chip("E001", 500)
    laid = events.CircleRead(3, Wager.DOWN, (chip,))
    empty = events.CircleRead(3, Wager.DOWN, ())
    silent, bare = (
        events.CircleUnreadable(3, Wager.DOWN, "silent"),
        events.CircleUnreadable(4, Wager.DOWN, "not_fitted"),
    )
    for event in (empty, silent, empty, bare, laid, laid, silent, silent, laid, empty, empty, silent):
        figures.see(event, events.Stamp(0, ""))
    shown = [(event["kind"], event["amount"]) for event in reversed(figures.events())]
    read = "chips_read"
    assert shown == [(read, 500), ("circle_lost", None), (read, 500), (read, 0)]


def test_the_list_names_the_places_of_cards_that_changed() -> None:
    figures = Figures()
    figures.see(events.CardsSwapped("seat_3_1", "middle"), events.Stamp(0, ""))
    assert figures.events()[0]["places"] == ["seat_3_1", "middle"]


def test_the_floor_page_counts_errors_of_the_last_hour() -> None:
    figures = Figures()
    hour = 3_600_000
    for ms, number in ((0, 1), (hour, 2), (2 * hour, 3)):
        figures.see(events.KeyPressed(Key.CONFIRM), replace(events.Stamp(0, ""), ms=ms))
        figures.count(record(number))
    pace = figures.pace()
    assert (pace["rounds_per_hour"], pace["alerts_per_hour"]) == (1, {"alert": 1})


def test_an_unknown_figure_is_shown_as_none() -> None:
    assert Figures().pace()["rounds_per_hour"] is None
