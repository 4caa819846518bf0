"""`crisscross check` names what answers and what does not, and takes nothing away from the daemon."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from controller.files.mistakes import Mistakes
from controller.journal.journal import Journal
from controller.runtime.check import check
from controller.settings.config import load_config
from drivers.chips.sim.simulator import ReaderBank
from drivers.ports import CircleId
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.runtime.child import started, table_file

pytestmark = pytest.mark.serial

HAND = {"method": "hand", "shoe": None}


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not answer is not waited for."""
    monkeypatch.setattr("controller.runtime.check.PATIENCE_S", 1.0)


def said(file: Path) -> tuple[int, list[str]]:
    lines: list[str] = []
    return check(load_config(file), lines.append, lamp_s=0.0), lines


def test_a_table_without_devices_is_well_and_nothing_is_made(tmp_path: Path) -> None:
    file = table_file(tmp_path, **HAND)
    status, lines = said(file)
    assert (status, lines[-1]) == (0, "all is well")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.yaml", file.name]


@pytest.mark.usefixtures("brief")
def test_what_does_not_answer_is_named_with_its_port(tmp_path: Path) -> None:
    """A port that is not there, a port that is none, and a reader that says nothing are three things."""
    circles: list[CircleId] = [(1, "across"), (2, "across")]
    with ReaderBank(tmp_path / "readers", circles) as bank:
        mute, garbled = (str(bank.paths()[circle]) for circle in circles)
        bank.fault((1, "across"), "silent")
        bank.fault((2, "across"), "noise")
        ports = {1: {"across": mute}, 2: {"across": garbled}, 3: {"across": f"{tmp_path}/nothing"},
                 4: {"across": "/dev/null"}}  # fmt: skip
        status, lines = said(table_file(tmp_path, readers={"ports": ports}))
    assert (status, lines[-1]) == (1, "6 failed")
    failed = [line for line in lines if line.startswith("FAILED")]
    assert failed[0].startswith(f"FAILED  shoe on {tmp_path / 'shoe'}: there is no such port")
    assert failed[1] == (
        "FAILED  readers: 0 of 4 answered: 1 silent, 1 not understood, 1 without a port, 1 cannot be opened"
    )
    assert failed[2].startswith(f"FAILED  reader seat 1 across on {mute}: no answer: look at its cable")
    assert failed[3].startswith(f"FAILED  reader seat 2 across on {garbled}: ")
    assert failed[4].startswith(
        f"FAILED  reader seat 3 across on {tmp_path / 'nothing'}: there is no such port"
    )
    assert failed[5].startswith("FAILED  reader seat 4 across on /dev/null: cannot be opened")


@pytest.mark.usefixtures("brief")
def test_a_shoe_that_says_nothing_is_named(tmp_path: Path) -> None:
    master, slave = os.openpty()
    (tmp_path / "shoe").symlink_to(os.ttyname(slave))
    _, lines = said(table_file(tmp_path, method="manual_shoe"))
    os.close(master)
    os.close(slave)
    assert any(line.startswith(f"FAILED  shoe on {tmp_path / 'shoe'}: no answer in") for line in lines)


def test_readers_that_answer(tmp_path: Path) -> None:
    circles: list[CircleId] = [(1, "across"), (2, "across")]
    bank = ReaderBank(tmp_path / "readers", circles)
    bank.start()
    try:
        ports = {seat: {wager: str(bank.paths()[seat, wager])} for seat, wager in circles}
        status, lines = said(table_file(tmp_path, readers={"ports": ports}, **HAND))
    finally:
        bank.stop()
    assert status == 0, lines
    assert "ok      readers: 2 of 2 answered" in lines


def test_a_shoe_that_answers_keeps_its_cards_for_the_daemon(tmp_path: Path) -> None:
    async def run() -> tuple[int, str]:
        shoe = ShoeSimulator(
            ShoeModel(1, mode="SINGLE", pace=Pace.max()), Pty(tmp_path / "shoe"), asyncio.get_running_loop(),
            rng=Random(1),
        )  # fmt: skip
        shoe.start()
        shoe.model.draw()
        waiting = shoe.session.backlog
        file = table_file(tmp_path, method="manual_shoe")
        # what it prints comes to standard error here, the helper has no other ear
        code = (
            "import sys; sys.stdout = sys.stderr\n"
            "from controller.cli import main\nraise SystemExit(main(sys.argv[1:]))"
        )
        async with started(tmp_path, ["-c", code, "check", "--config", str(file)]) as child:
            status = await child.ended()
            words = await child.words()
        assert shoe.session.backlog >= waiting
        shoe.stop()
        return status, words

    status, words = asyncio.run(run())
    assert status == 0, words
    assert f"ok      shoe on {tmp_path / 'shoe'}: " in words


def test_lamps_are_walked_and_dark_again(tmp_path: Path) -> None:
    status, lines = said(table_file(tmp_path, pins={"factory": "mock"}, **HAND))
    assert status == 0, lines
    assert any("every lamp was lit once" in line for line in lines)


def test_beside_a_daemon_it_leaves_the_devices_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    status, lines = said(table_file(tmp_path))
    journal.close()
    assert status == 1
    assert "is held by a daemon" in lines[-2]
    assert not any("shoe on" in line for line in lines)


def test_a_journal_that_is_none_is_named_and_the_devices_are_asked_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    status, lines = said(table_file(tmp_path, **HAND))
    assert status == 1
    assert any("not an SQLite database" in line for line in lines)
    assert any("readers: none fitted" in line for line in lines)


def test_a_pin_map_with_mistakes_is_named(tmp_path: Path) -> None:
    (tmp_path / "pins.yaml").write_text("keys: 1\n", encoding="utf-8")
    with pytest.raises(Mistakes, match=rf"{tmp_path / 'pins.yaml'}:1: keys: "):
        said(table_file(tmp_path, pins={"factory": "mock", "map": "pins.yaml"}, **HAND))
