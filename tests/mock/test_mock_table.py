"""On a mock table without wires simulated people play whole rounds, and all errors of the dealer are
named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.game.model.names import Method
from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from controller.mock.people.error_log import Account
from controller.mock.run import Run, people

pytestmark = pytest.mark.slow


async def rounds(run: Run, count: int) -> tuple[list[Any], Account | None]:
    """Play `count` rounds; return their records and the account of the dealer's errors, if the run has
    one."""
    bench = DirectBench(run.table)
    found: list[Any] = []

    def seen(_view: ViewData) -> None:
        found.extend(bench.records())

    await bench.start()
    try:
        around, clumsy = people(run)
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, around, lambda _view: len(found) >= count, on_view=seen)
    finally:
        await bench.stop()
    return found[:count], clumsy.account if clumsy else None


def wireless(**more: Any) -> MockOptions:
    return MockOptions(seed=8, wires=False, **more)


async def test_every_error_of_a_clumsy_dealer_is_reported_without_false_alarms() -> None:
    records, account = await rounds(Run(wireless(), clumsy=0.15), 12)
    assert account is not None
    assert len(account.made()) > 20
    assert [error.kind for error in account.made() if not error.caught] == []
    assert account.false_alarms == []
    assert all(record["outcome"] == "settled" for record in records)


async def test_wrong_wagers_of_players_are_corrected_and_every_round_ends() -> None:
    records, _ = await rounds(Run(wireless(), mischief=1.0), 12)
    codes = {entry["code"] for record in records for entry in record["irregularities"]}
    assert codes & {"late_bet", "bet_changed", "bet_out_of_turn"}
    assert [record["round"] for record in records] == list(range(1, 13))


async def test_a_table_continues_an_older_journal_whichever_deck_is_due(
    tmp_path: Path,
) -> None:
    """The mock's shoe begins with its red deck, but after an odd number of rounds the blue deck is due."""
    run = Run(wireless(journal=tmp_path / "journal.db"))
    numbers = [record["round"] for count in (1, 1, 2) for record in (await rounds(run, count))[0]]
    assert numbers == [1, 2, 3, 4]


@pytest.mark.parametrize("method", [Method.MANUAL_SHOE, Method.HAND])
async def test_rounds_are_settled_with_each_way_of_dealing(method: Method) -> None:
    records, _ = await rounds(Run(wireless(method=method)), 6)
    assert {record["method"] for record in records} == {method}
    assert all(record["outcome"] == "settled" for record in records)


@pytest.mark.parametrize("rules", ["massachusetts", "maryland", "six_card_bonus"])
async def test_rounds_are_settled_under_each_rule_pack(rules: str) -> None:
    records, _ = await rounds(Run(wireless(rules=rules)), 4)
    assert {record["rules"] for record in records} == {rules}


async def test_the_dealer_changes_the_decks_when_they_are_due() -> None:
    """58 Pa. Code § 674a.3(c): decks are never changed during a round, and no round is played with the old
    decks after the limit."""
    bench = DirectBench(wireless())
    await bench.start()
    try:
        hand, _ = people(Run(wireless()))
        hands = Hands(bench, Pace(None, bench.elapse))
        await play(hands, hand, lambda view: view["round"] == 2 and view["phase"] == "betting")
        await bench.clock(8 * 3_600_000, 0)
        due = [alert["code"] for alert in bench.view()["alerts"]]
        await play(hands, hand, lambda view: view["round"] == 3)
        played = len(bench.records())
    finally:
        await bench.stop()
    assert (played, due) == (2, ["deck_change_due"])
