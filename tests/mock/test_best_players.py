"""The players of `crisscross mock --players optimal` use only visible cards and make the best decisions by
the odds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from controller.cli import main
from controller.common.extras import how_to_install
from controller.game.model.cards import Card
from controller.game.model.names import BETS, SEATS, Wager
from controller.mock import cli
from controller.mock.bench.bench import Hands, Pace, TableStopped, ViewData, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.layout import ChipBank, Felt
from controller.mock.bench.options import MockOptions
from controller.mock.people.optimal import BestPlay
from controller.mock.run import Run, chosen, people
from controller.rules.odds.cards import NUMBER
from controller.rules.volume.arrays import CardArray
from controller.rules.volume.best_player import Best
from tests.game.felt import pack

PLACES = {"across": (), "down": ("across_left", "across_right"), "middle": ("down_far", "down_near")}


async def played(run: Run, count: int) -> tuple[list[Any], Best]:
    """Play `count` rounds with the best players; return the records and the players' strategy, for
    comparison."""
    bench, found = DirectBench(run.table), list[Any]()

    def seen(_view: ViewData) -> None:
        found.extend(bench.records())

    await bench.start()
    try:
        choose = chosen(run, bench)
        assert isinstance(choose, BestPlay)
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, people(run, choose)[0], lambda _view: len(found) >= count, on_view=seen)
    finally:
        await bench.stop()
    return found, choose._best


def numbers(faces: list[str]) -> CardArray:
    return np.array([NUMBER[Card(face)] for face in faces], dtype=np.uint8)


def best_bets(best: Best, record: Any, seat: Any) -> dict[str, int]:
    """Return the bets in cents that the strategy makes with the recorded cards of this seat. A fold ends
    them."""
    ante, turned, bets = seat["wagers"]["ante_across"]["amount"], list[CardArray](), dict[str, int]()
    for wager in BETS:
        if PLACES[wager]:
            turned.append(numbers([record["cross"][place] for place in PLACES[wager]])[:, None])
        bets[wager] = ante * int(best.antes(numbers(seat["cards"])[None, :, None], *turned)[0, 0])
        if not bets[wager]:
            return {name: cents for name, cents in bets.items() if cents}
    return bets


async def test_every_recorded_bet_is_the_best_by_the_odds() -> None:
    run = Run(MockOptions(seed=8, wires=False), seats=2, optimal=True)
    records, best = await played(run, 2)
    for record in records:
        for seat in record["seats"]:
            laid = {name: wager["amount"] for name, wager in seat["wagers"].items() if name in set(BETS)}
            assert laid == best_bets(best, record, seat)


def test_without_optimal_no_best_play_is_chosen() -> None:
    bench = DirectBench(MockOptions(seed=8, wires=False))
    try:
        assert chosen(Run(bench.options), bench) is None
    finally:
        bench.remove_folder()


def test_a_card_invisible_to_the_players_stops_the_mock() -> None:
    seats = [{"circles": {"ante_across": {"wager": 500}}} for _ in SEATS]
    with pytest.raises(TableStopped, match="cannot see the card at seat_2_1"):
        BestPlay(pack(), Felt(ChipBank({})))({"seats": seats}, 2, Wager.ACROSS)


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["mock", "--players", "optimal", *options]) == 2
    return capsys.readouterr().err.strip().splitlines()[-1]


def test_without_numpy_the_package_to_install_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    message = refused(capsys, "--seed", "1", "--no-wires")
    assert message == f"crisscross mock: --players optimal needs NumPy: {how_to_install('odds')}"


def test_optimal_players_need_the_simulated_shoe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    message = refused(capsys, "--seed", "1", "--shoe", "/dev/ttyX")
    assert message.startswith("crisscross mock: --players optimal needs the simulated shoe")
