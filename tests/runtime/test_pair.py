"""`crisscross shoe pair` pairs with the simulated shoe on a pseudo-terminal if both ends confirm the digits,
and is refused otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from controller.cli import main
from controller.record.journal.journal import Journal
from controller.settings.config import load_config
from controller.table.commissioning.pair_shoe import pair
from drivers.shoe.handshake import Paired, public_key
from drivers.shoe.keys import read_keys
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.runtime.child import table_file

pytestmark = pytest.mark.serial


def paired(
    folder: Path, confirmation: str, at_shoe: Callable[[ShoeSimulator], None]
) -> tuple[int, list[str], list[Paired]]:
    """Return the exit status, the digits that the shoe showed, and the keys that the shoe stored."""
    shown: list[str] = []
    kept: list[Paired] = []

    async def run() -> int:
        loop = asyncio.get_running_loop()
        model = ShoeModel(1, pace=Pace.max())
        shoe = ShoeSimulator(model, Pty(folder / "shoe"), loop, rng=Random(1))
        shoe.on_digits, shoe.on_paired = shown.append, kept.append
        shoe.start()
        shoe.begin_pairing()

        def ask(_question: str) -> str:
            loop.call_soon_threadsafe(at_shoe, shoe)
            return confirmation

        try:
            return await asyncio.to_thread(pair, load_config(folder / "table.yaml"), ask)
        finally:
            shoe.stop()

    return asyncio.run(run()), shown, kept


def test_both_ends_show_the_same_digits_and_store_the_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table_file(tmp_path)
    status, shown, kept = paired(tmp_path, "yes", ShoeSimulator.confirm_pairing)
    output = capsys.readouterr().out
    assert status == 0, output
    assert f"Digits here: {shown[0]}." in output
    ours = read_keys(tmp_path / "journal.db.shoe")
    assert (ours.other, public_key(ours.own)) == (public_key(kept[0].own), kept[0].other)
    assert "shoe.link: 2" in output


def test_a_rejected_pairing_stores_no_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table_file(tmp_path)
    status, _, kept = paired(tmp_path, "no", ShoeSimulator.end_pairing)
    assert (status, kept) == (1, [])
    assert "the digits differ" in capsys.readouterr().err
    assert not (tmp_path / "journal.db.shoe").exists()


def test_a_pairing_not_confirmed_at_the_shoe_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.table.commissioning.pair_shoe.PAIRING_TIMEOUT_S", 1.0)
    table_file(tmp_path)
    status, _, kept = paired(tmp_path, "yes", lambda _shoe: None)
    assert (status, kept) == (1, [])
    assert "confirmed there?" in capsys.readouterr().err
    assert not (tmp_path / "journal.db.shoe").exists()


def test_pairing_is_refused_while_a_daemon_uses_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = load_config(table_file(tmp_path))
    journal = Journal(config.journal)
    assert pair(config) == 1
    journal.close()
    assert "is held by a daemon" in capsys.readouterr().err


def test_a_journal_whose_lock_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal.db.lock").symlink_to("journal.db.lock")
    assert main(["shoe", "pair", str(table_file(tmp_path))]) == 2
    assert capsys.readouterr().err.startswith(f"journal {tmp_path / 'journal.db'}: cannot be opened: ")


def test_a_table_that_requires_version_2_without_a_pairing_is_refused(tmp_path: Path) -> None:
    file = table_file(tmp_path, shoe={"port": str(tmp_path / "shoe"), "link": 2})
    with pytest.raises(Exception, match=r"shoe.link: 2: .*no shoe is paired; run crisscross shoe pair"):
        load_config(file, "real")
