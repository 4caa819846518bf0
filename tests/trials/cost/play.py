"""Parts of a running table, for a counter: `python -m tests.trials.cost.play FOLDER`.

Each part runs once, then repeatedly between two marks, on one thread with one seed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.game.model.names import Method
from controller.mock.bench.bench import Hands, Pace, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people
from controller.pages.display.touches import parse
from drivers.chips.kinds import FEIG
from drivers.ports import Inventory
from tests.trials.cost.marks import Marks
from tests.trials.cost.readers import LOOK, Scan
from tests.trials.cost.shoe import FramedShoe

SEED = 1
TIMES = 20
ROUNDS = 3
WARM = 280
"""Number of readings before the count begins: by then a seat board has used every frame number once, and all
its answers are recorded."""
READINGS = (
    ("reading_single", "pn532_uart", None), ("reading_board", "seat_board", None),
    ("reading_feig", FEIG, None), ("look_feig", FEIG, LOOK),
)  # fmt: skip
"""Names of the parts that read a circle, with their kinds of reader; the last one is a quick look."""
Part = Callable[[], object]


class Played:
    """Table of six seats in its second round, stopped at a prompt, with its journal on a disk."""

    def __init__(self, folder: Path, kind: str, method: Method = Method.AUTOMATED_SHOE) -> None:
        journal = Path(tempfile.mkdtemp(dir=folder)) / "journal.db"
        self.bench = DirectBench(MockOptions(method=method, seed=SEED, wires=False, journal=journal))
        self._hands = Hands(self.bench, Pace(None, self.bench.elapse))
        self._people = people(Run(self.bench.options))[0]
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self.bench.start())
        self.play_until(lambda view: view["round"] >= 2 and _asks(view) == kind)
        self.engine = self.bench.engine
        self.state = self.engine.game.state

    def play_until(self, wanted: Callable[[Mapping[str, Any]], bool]) -> None:
        self._loop.run_until_complete(play(self._hands, self._people, wanted))

    def restore(self) -> None:
        """Bring the table back to the state in which play was stopped, so that a part can be repeated."""
        self.engine.game.state = self.state  # type: ignore[misc]


def _asks(view: Mapping[str, Any]) -> str | None:
    return view["prompt"]["kind"] if view["prompt"] else None


def cards(played: Played) -> Mapping[str, Part]:
    """Return the parts that a card causes: from its bytes to its acknowledgement, sealed and on the disk, and
    to the next view."""
    shoe = FramedShoe(played.engine)

    def card_to_ack() -> None:
        played.restore()
        shoe.card(played.state.shoe.out + 1, ends=True)

    def card_to_view() -> None:
        played.restore()
        shoe.card(played.state.shoe.out + 1, ends=False)
        played.engine.view()

    return {"card_to_view": card_to_view, "card_to_ack": card_to_ack}


def events(played: Played) -> Mapping[str, Part]:
    """Return the parts that a chip and a touch cause: from a chip read twice to the lamps, and from a touch
    of FLOOR to its answer."""
    engine = played.engine
    uids = (next(iter(played.bench.config.register)).uid,)

    def reading() -> None:
        played.restore()
        now = engine.clock.seconds()
        for chips in (uids, ()):
            engine.inbox.put_readings([Inventory((1, "ante_across"), now, now, "chips", chips, "")] * 2)
            engine.step()

    def touch() -> None:
        played.restore()
        body = {"do": "press", "key": "floor", "prompt": engine.game.prompt_id()}
        engine.inbox.put_touch(parse(json.dumps(body).encode()), _accepted)
        engine.step()

    return {"reading": reading, "touch": touch}


def _accepted(refusal: object) -> None:
    if refusal is not None:
        raise RuntimeError(f"the touch was refused: {refusal}")


def run_events(folder: Path) -> None:
    """Run the parts that are not separate processes, each between its marks."""
    marks = Marks()
    betting, settling = Played(folder, "bets_open"), Played(folder, "pay")
    dealing = Played(folder, "deal_card", Method.MANUAL_SHOE)
    parts = {**cards(dealing), **events(betting), "view": settling.engine.game.view}
    for name, part in parts.items():
        part()
        with marks.counted(name):
            for _ in range(TIMES):
                part()
    for name, kind, look in READINGS:
        scan = Scan(kind, betting.engine)
        scan.read(1)
        scan.read(WARM, look)
        with marks.counted(name):
            scan.read(TIMES, look)
        scan.stop()
    settling.play_until(lambda view: view["round"] == 3)
    with marks.counted("round"):
        settling.play_until(lambda view: view["round"] == 3 + ROUNDS)


if __name__ == "__main__":
    run_events(Path(sys.argv[1]))
