"""The check of the shoe compares its reads with a complete pack, and never touches the cards of a round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from controller.cli import main
from controller.settings.config import load_config
from controller.table.commissioning import deck
from controller.table.commissioning.deck import PACK, check_deck, compare_deck, read_order
from controller.table.commissioning.lines import ReportLine
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.runtime.child import table_file

OTHER = [*PACK[:10], PACK[20], *PACK[11:]]


def deck_lines(read: list[str], order: list[str] | None = None) -> list[str]:
    return [f"{line.state}: {line.what}: {line.why}" for line in compare_deck(read, order or [])]


def test_a_complete_pack_in_any_order_passes() -> None:
    assert deck_lines(list(reversed(PACK))) == ["ok: deck: 52 of 52 cards were read once: "]


def test_a_misread_card_is_named_with_the_reading() -> None:
    (line,) = deck_lines(OTHER)
    words = f"read twice: {PACK[20]}; never read: {PACK[10]}"
    assert line == f"failed: deck: 50 of 52 cards were read once: {words}"


def test_unread_and_face_up_cards_are_named_by_their_place() -> None:
    (line,) = deck_lines(["NR", *PACK[1:51], "FU"])
    assert line.endswith(f"not read at card: 1; found face up at card: 52; never read: {PACK[0]} {PACK[51]}")


def test_the_order_is_compared_if_known() -> None:
    read = [PACK[1], PACK[0], *PACK[2:]]
    assert deck_lines(list(PACK), list(PACK))[1] == "ok: deck: in the order of the file: "
    words = "failed: deck: in the order of the file: not from card 1 on, 2 cards: the pack"
    assert deck_lines(read, list(PACK))[1].startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AS 1X", "1X; allowed: a rank A K Q J T 9 to 2, then a suit S H D C"),
        ("AS KS AS", "3 cards, 2 of them different; it takes 52, each once"),
    ],
)
def test_a_file_without_a_pack_is_refused_in_one_line(
    tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pack.txt"
    file.write_text(text, encoding="ascii")
    config = table_file(tmp_path, method="hand", shoe=None)
    assert main(["check", "--config", str(config), "--deck", str(file)]) == 2
    assert capsys.readouterr().err.splitlines() == [f"{file}: {words}"]


def test_a_file_of_cards_is_read_line_by_line() -> None:
    assert read_order(Path(__file__).with_name("new_deck.txt")) != PACK


# ------------------------------------------------------------------------------ on the wire


async def through(folder: Path, model: ShoeModel, hand: Callable[[ShoeModel, str], None]) -> list[ReportLine]:
    """Return the lines of a whole deck read through this shoe; `hand` carries out the requests."""
    shoe = ShoeSimulator(model, Pty(folder / "shoe"), asyncio.get_running_loop(), rng=Random(1))
    shoe.start()
    config = load_config(table_file(folder, method="manual_shoe"))
    try:
        return await check_deck(config, None, (), lambda text: hand(model, text))
    finally:
        shoe.stop()


def lift(model: ShoeModel, request: str) -> None:
    if request.startswith("lift"):
        model.lift_stack()


def draw(model: ShoeModel, request: str) -> None:
    if request.startswith("draw"):
        for _ in PACK:
            model.draw()


@pytest.mark.serial
@pytest.mark.parametrize(("mode", "hand"), [("STACK", lift), ("SINGLE", draw)])
async def test_both_kinds_of_shoe_deal_a_complete_pack(
    tmp_path: Path, mode: str, hand: Callable[..., None]
) -> None:
    model = ShoeModel(1, mode=mode, pace=Pace.max())  # type: ignore[arg-type]
    assert [str(line.plain()) for line in (await through(tmp_path, model, hand))] == [
        "ok      deck: 52 of 52 cards were read once"
    ]


@pytest.mark.serial
async def test_a_reader_that_misses_a_card_is_found(tmp_path: Path) -> None:
    model = ShoeModel(1, mode="STACK", pace=Pace.max())
    model.load("?? ^9S")
    (line,) = await through(tmp_path, model, lift)
    assert "not read at card: 1; found face up at card: 2" in line.wrong


@pytest.mark.serial
async def test_a_jam_ends_the_check_and_is_named(tmp_path: Path) -> None:
    model = ShoeModel(1, mode="STACK", pace=Pace.max())
    model.fault("jam", 7)
    first, second = await through(tmp_path, model, lift)
    assert first.wrong.startswith("after 6 cards: FAULT JAM")
    assert second.what == "deck: 6 of 52 cards were read once"


def lift_and_give_out_the_stub(model: ShoeModel) -> None:
    model.command("STUBOUT", (), 0.0)
    model.take_stub()


@pytest.mark.serial
@pytest.mark.parametrize(
    ("mode", "deed"),
    [("SINGLE", ShoeModel.draw), ("STACK", lift_and_give_out_the_stub)],
    ids=["card", "stub"],
)
async def test_pending_frames_of_the_shoe_are_left_for_the_daemon_and_never_shown(
    tmp_path: Path, mode: str, deed: Callable[[ShoeModel], object]
) -> None:
    model = ShoeModel(1, mode=mode, pace=Pace.max())  # type: ignore[arg-type]
    faces = {card.face for card in model._decks.in_place.cards}  # type: ignore[union-attr]
    shoe = ShoeSimulator(model, Pty(tmp_path / "shoe"), asyncio.get_running_loop(), rng=Random(1))
    shoe.start()
    deed(model)
    waiting = shoe.session.backlog
    printed: list[str] = []
    lines = await check_deck(
        load_config(table_file(tmp_path, method="manual_shoe")), None, (), printed.append
    )
    assert shoe.session.backlog >= waiting
    shoe.stop()
    (line,), printed = lines, [*printed, *map(str, lines)]
    assert line.wrong == "it has still to tell the controller of a round: start the daemon, end the round"
    assert not [words for words in printed if any(face in words for face in faces)]


@pytest.mark.serial
async def test_a_shoe_without_a_complete_deck_is_not_used(tmp_path: Path) -> None:
    model = ShoeModel(1, mode="STACK", pace=Pace.max())
    model.lift_deck_out()
    (line,) = await through(tmp_path, model, lift)
    assert line.wrong.startswith("it says EMPTY, 0 cards out")


@pytest.mark.serial
async def test_a_person_who_does_nothing_is_awaited_for_a_limited_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck, "PERSON_TIMEOUT_S", 0.3)
    model = ShoeModel(1, mode="SINGLE", pace=Pace.max())
    first, second = await through(tmp_path, model, lambda _model, _asked: None)
    assert first.wrong == "after 0 cards nothing came for 0 s"
    assert second.what == "deck: 0 of 52 cards were read once"
