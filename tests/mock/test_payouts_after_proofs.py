"""In whole rounds each payout waits until the chips of its wager have proven themselves, with and without
wires."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from controller.game.model.irregularities import Code
from controller.game.model.plan import Step
from controller.game.model.state import TableState
from controller.game.phases import settlement
from controller.game.table import Table
from controller.mock.bench.options import MockOptions
from controller.mock.run import Mock, Run
from controller.record.journal.journal import Journal
from controller.record.journal.replay import replayed_events
from drivers.chips.kinds import PROVING


async def played(journal: Path, **more: object) -> list[tuple[Step, str]]:
    """Play rounds; return each completed payout with the state of its proofs, and each wait of a payout with
    "wait". Payouts whose wait was ended by an alert are left out."""
    config = {"proofs": {"payouts_from": 1, "random_seconds": 1}}
    options = MockOptions(config=config, seed=5, journal=journal, **more)  # type: ignore[arg-type]
    assert await Mock(Run(options, rounds=3, headless=True, as_json=True)).play() == 0
    found: list[tuple[Step, str]] = []
    with closing(Journal(journal, durable=False)) as kept:
        for done in replayed_events(kept.settings(), kept.rows(), None):
            step = settlement.due_step(done.before)
            if step is None or step.verb != "pay" or done.before.round is None:
                continue
            if not done.after.holding(*step.circle).readable or stopped(done.before):
                continue  # an alert has ended the wait, because the module answers late on a loaded machine
            table = Table(done.context.pack, done.context.settings, done.before)
            prompt = table.prompt()
            if prompt is not None and prompt.kind == "proofs_wait":
                found.append((step, "wait"))
            if done.after.round is not done.before.round and settlement.due_step(done.after) != step:
                found.append((step, done.after.holding(*step.circle).proofs))
    return found


def stopped(state: TableState) -> bool:
    return any(alert.code is Code.PROOFS_STOPPED for alert in state.alerts)


def check(found: list[tuple[Step, str]]) -> None:
    """Check that each payout waited for its proofs, and that the proofs were decided when it was made."""
    paid = [(step, proofs) for step, proofs in found if proofs != "wait"]
    assert len(paid) >= 3
    assert {proofs for _, proofs in paid} == {"decided"}
    assert {step.circle for step, _ in paid} <= {step.circle for step, proofs in found if proofs == "wait"}


async def test_without_wires_each_payout_waits_for_its_proofs(tmp_path: Path) -> None:
    check(await played(tmp_path / "journal.db", wires=False))


@pytest.mark.serial
@pytest.mark.parametrize("readers", PROVING)
async def test_on_wires_each_payout_waits_for_its_proofs(tmp_path: Path, readers: str) -> None:
    check(await played(tmp_path / "journal.db", readers=readers))
