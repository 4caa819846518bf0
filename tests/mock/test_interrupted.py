"""A mock table can continue the journal of a run that was killed during a round."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.game.model.names import Method
from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people

pytestmark = pytest.mark.slow

SEED = 8
IN_PLAY = (
    (Method.AUTOMATED_SHOE, "lift_stack"), (Method.MANUAL_SHOE, "deal_card"), (Method.HAND, "ask"),
    (Method.AUTOMATED_SHOE, "ask"), (Method.AUTOMATED_SHOE, "turn"), (Method.AUTOMATED_SHOE, "take"),
    (Method.MANUAL_SHOE, "pay"), (Method.HAND, "pay"),
)  # fmt: skip
"""Ways of dealing, each with the kind of prompt at which the run is killed."""


async def killed(method: Method, kind: str, journal: Path) -> int:
    """Play until the table shows a prompt of this kind, and end there; return the number of the round."""
    bench = DirectBench(MockOptions(seed=SEED, wires=False, journal=journal, method=method))

    def shown(view: ViewData) -> bool:
        return view["prompt"] is not None and view["prompt"]["kind"] == kind

    await bench.start()
    try:
        view = await play(Hands(bench, Pace(None, bench.elapse)), people(Run(bench.options))[0], shown)
        return int(view["round"])
    finally:
        await bench.stop()


@pytest.mark.parametrize(("method", "kind"), IN_PLAY)
def test_the_interrupted_round_is_void_and_the_next_ones_are_settled(
    method: Method, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.db"
    number = asyncio.run(killed(method, kind, journal))
    command = ["mock", "--no-wires", "--json", "--rounds", "3", "--seed", str(SEED), "--method", method.value]
    assert main([*command, "--journal", str(journal)]) == 0
    out, err = capsys.readouterr()
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["round"] for record in records] == [number, number + 1, number + 2]
    assert [record["outcome"] for record in records] == ["void", "settled", "settled"]
    assert f"round {number} of an earlier run has lost its chips and cards: it is void" in err
