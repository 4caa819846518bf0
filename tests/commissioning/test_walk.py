"""A person who lays chips learns which reader is under which circle, and confirms keys and lamps."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.model.names import Wager
from controller.settings.config import load_config
from controller.table.commissioning.by_hand import (
    Inputs,
    KeyPress,
    PersonInput,
    Typed,
    typing,
    walk_keys,
    walk_lamps,
    walk_readers,
)
from controller.table.commissioning.lines import ReportLine
from controller.table.commissioning.walk import Walk
from controller.table.daemon.devices import NoKeys, Panel
from drivers.chips.sim.board_bank import BoardBank
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId, LampsHealth, Signal
from tests.runtime.child import table_file

ORDER: list[CircleId] = [(seat, wager) for seat in (1, 2, 3) for wager in ("across", "down", "middle")]


def walked(plugged: dict[CircleId, CircleId]) -> list[ReportLine]:
    """Return the lines of a walk with a chip on each circle. `plugged`: the circle under whose name each
    reader reports."""
    walk = Walk(ORDER)
    for circle in ORDER:
        walk.take_reading(circle, ())
    for circle in ORDER:
        at = plugged.get(circle, circle)
        walk.take_reading(at, ("04A1",))
        walk.take_reading(at, ())
    assert walk.due is None
    return list(walk.findings())


def words(lines: list[ReportLine]) -> list[str]:
    return [f"{line.what}: {line.why}" if line.why else line.what for line in lines]


def test_a_walk_without_faults_gives_one_line() -> None:
    assert words(walked({})) == ["circles: 9 of 9 were read under their own name"]


def test_two_exchanged_plugs_are_named() -> None:
    lines = walked({(1, "across"): (1, "down"), (1, "down"): (1, "across")})
    assert words(lines)[1:] == ["seat 1 across and seat 1 down are exchanged: change over their plugs"]


def test_two_exchanged_seats_are_named_in_one_line() -> None:
    plugged = {(seat, wager): (3 - seat, wager) for seat, wager in ORDER if seat < 3}
    assert words(walked(plugged)) == [
        "circles: 3 of 9 were read under their own name",
        "seat 1 and seat 2 are exchanged: change over the cables of the two seats",
    ]


@given(st.permutations(ORDER))
def test_no_exchange_of_plugs_passes(plugged: list[CircleId]) -> None:
    """Whatever plugs are exchanged, the walk passes only if each plug is in its own socket."""
    lines = walked(dict(zip(ORDER, plugged, strict=True)))
    assert any(line.wrong for line in lines) == (plugged != ORDER)


def test_chips_that_lay_there_before_are_ignored() -> None:
    walk = Walk(ORDER)
    assert walk.take_reading((2, "down"), ("04A1",)) == ()
    assert walk.due == ORDER[0]


def test_a_circle_on_which_no_chip_was_seen_fails() -> None:
    walk = Walk(ORDER[:2])
    walk.take_reading(ORDER[0], ())
    walk.advance()
    walk.take_reading(ORDER[1], ())
    walk.take_reading(ORDER[1], ("04A1",))
    assert words(list(walk.findings())) == [
        "circles: 1 of 2 were read under their own name",
        "no chip was seen at seat 1 across: lay one there in another walk",
    ]


@pytest.mark.serial
async def test_exchanged_cables_are_found_with_a_chip(tmp_path: Path) -> None:
    """The cables of seats 1 and 2 are exchanged: both readers answer, and the walk names the exchange."""
    circles: list[CircleId] = [(1, "across"), (2, "across")]
    texts: list[str] = []

    async def walk(bank: ReaderBank) -> list[ReportLine]:
        def obey(text: str) -> None:
            texts.append(text)
            for circle in circles:
                if text == f"lay one chip on seat {circle[0]} across":
                    bank.lay(circle, f"04A1B2C{circle[0]}")

        ports = {1: {"across": bank.paths()[2, "across"]}, 2: {"across": bank.paths()[1, "across"]}}
        config = load_config(table_file(tmp_path, readers={"ports": ports}, method="hand", shoe=None))
        return await asyncio.wait_for(walk_readers(config, Inputs(), obey), 20)

    with ReaderBank(tmp_path / "readers", circles, pace=0) as bank:
        lines = await walk(bank)
    assert words(lines)[1:] == ["seat 1 across and seat 2 across are exchanged: change over their plugs"]
    assert "  seat 2 across: 04A1B2C1, unknown" in texts


@pytest.mark.serial
async def test_exchanged_seat_boards_are_named_in_one_line(tmp_path: Path) -> None:
    """Two USB cables are exchanged, so every reader answers under the name of the other seat."""
    circles: list[CircleId] = [(seat, wager) for seat in (1, 2) for wager in ("across", "down")]

    async def walk(bank: BoardBank) -> list[ReportLine]:
        def obey(text: str) -> None:
            for seat, wager in circles:
                if text == f"lay one chip on seat {seat} {wager}":
                    bank.lay((seat, wager), f"04A1B{seat}C{circles.index((seat, wager))}")

        ports = {seat: dict.fromkeys(("across", "down"), bank.paths()[3 - seat, "across"]) for seat in (1, 2)}
        readers = {"kind": "seat_board", "ports": ports}
        config = load_config(table_file(tmp_path, readers=readers, method="hand", shoe=None))
        return await asyncio.wait_for(walk_readers(config, Inputs(), obey), 20)

    with BoardBank(tmp_path / "boards", circles, pace=0) as bank:
        lines = await walk(bank)
    assert words(lines) == [
        "circles: 0 of 4 were read under their own name",
        "seat 1 and seat 2 are exchanged: change over the cables of the two seats",
    ]


# ------------------------------------------------------------------------------ keys and lamps


def walk_through(
    walk: Coroutine[Any, Any, list[ReportLine]], inputs: Inputs, *done: PersonInput
) -> list[str]:
    for deed in done:
        inputs.put_nowait(deed)
    return words(asyncio.run(asyncio.wait_for(walk, 5)))


def test_each_key_is_confirmed_under_its_own_name() -> None:
    inputs = Inputs()
    done = [KeyPress("no_more_bets"), KeyPress("confirm"), KeyPress("fold"), KeyPress("floor")]
    assert walk_through(walk_keys(inputs, lambda _text: None), inputs, *done) == [
        "keys: 4 of 4 were pressed and heard under their own name"
    ]


def test_exchanged_and_dead_keys_are_named() -> None:
    inputs = Inputs()
    done = [KeyPress("no_more_bets"), KeyPress("fold"), KeyPress("confirm"), Typed("")]
    exchanged = "CONFIRM is wired as FOLD, FOLD is wired as CONFIRM"
    assert walk_through(walk_keys(inputs, lambda _text: None), inputs, *done) == [
        "keys: 1 of 4 were pressed and heard under their own name",
        f"keys exchanged: {exchanged}: change the wires, or keys.pins of the pin map",
        "keys not heard: FLOOR: look at contact, wire and ground",
    ]


class Shown:
    """Lamps that only record what is shown."""

    def __init__(self) -> None:
        self.all: list[tuple[CircleId, str]] = []

    def show(self, signals: dict[CircleId, Signal]) -> None:
        self.all += [(circle, signal.colour) for circle, signal in signals.items()]

    def dim(self, percent: int) -> None: ...

    def tick(self, now: float) -> None: ...

    def statistics(self) -> LampsHealth | None:
        return None

    def stop(self) -> None: ...


def test_each_lamp_is_lit_alone_in_each_colour_and_confirmed_by_key() -> None:
    inputs = Inputs()
    lamps = Shown()
    circles: list[CircleId] = [(1, Wager.ACROSS.value), (1, Wager.DOWN.value)]
    done = [KeyPress("confirm"), Typed(""), KeyPress("fold"), KeyPress("confirm")]
    lines = walk_through(
        walk_lamps(Panel(lamps, NoKeys()), circles, inputs, lambda _text: None), inputs, *done
    )
    assert lamps.all == [(circle, colour) for colour in ("green", "red") for circle in circles]
    assert lines[0] == "lamps: 3 of 4 were seen right"
    assert lines[1].startswith("lamps wrong: seat 1 across red: look at its LED")


def test_lamps_that_no_person_confirmed_stay_open() -> None:
    inputs = Inputs()
    walk = walk_lamps(Panel(Shown(), NoKeys()), [(1, "across")], inputs, lambda _text: None)
    assert walk_through(walk, inputs, KeyPress("confirm"), Typed(None)) == [
        "lamps: 1 of 2 were seen right: walk the rest"
    ]


# ------------------------------------------------------------------------------ end of input


@pytest.mark.parametrize("name", [os.devnull, "regular"])
async def test_standard_input_that_cannot_be_waited_for_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "regular").write_text("n\n", encoding="utf-8")
    inputs, circles = Inputs(), [(1, "across")]
    lamps = Panel(Shown(), NoKeys())
    with (tmp_path / name).open(encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdin", file)
        async with asyncio.timeout(5), typing(inputs):
            lines = await walk_keys(inputs, lambda _text: None)
            lines += await walk_lamps(lamps, circles, inputs, lambda _text: None)
    assert words(lines) == [
        "keys: 0 of 4 were pressed and heard under their own name: press the rest",
        "lamps: 0 of 2 were seen right: walk the rest",
    ]
