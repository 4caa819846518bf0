"""Runs the trial on several processes that share the tables."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

from controller.common.terminal import ProgressLine
from controller.evidence.hypotheses import PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.tables import first_tables
from controller.rules.odds.cli import bar
from controller.rules.odds.subject import shipped
from tests.trials.evidence.players import honest
from tests.trials.evidence.volume.batch import Trial
from tests.trials.evidence.volume.chances import chances_of
from tests.trials.evidence.volume.report import lines
from tests.trials.evidence.volume.store import Store
from tests.trials.evidence.volume.tally import Tally

SITTINGS = 500
"""Number of sittings in a batch."""
LINE_BATCHES = 20
"""Number of batches between two lines of progress."""
_shared: list[Trial] = []
"""List with the one trial of this process, which is put in when the process starts."""


class Run:
    """Run of a trial: its batches on several processes, until all are done or a signal ends it. `sittings`:
    number of each player. `store`: file of the sums of earlier runs, to which this one adds; None to begin
    anew and keep no sums."""

    def __init__(self, trial: Trial, sittings: int, store: Store | None = None) -> None:
        self._trial, self._store, self._stopped = trial, store, False
        self._batches = -(-sittings // SITTINGS)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Handle a signal: end the run once the next batch in order is finished."""
        self._stopped = True

    def tallies(self, jobs: int) -> dict[str, Tally]:
        """Run the batches on `jobs` processes. Returns the sums by player over the finished ones, without a
        gap in their order."""
        found = self._store.read() if self._store else []
        begun = found[0].sittings // SITTINGS if found else 0
        for done, each in enumerate(self._each(jobs, begun), begun + 1):
            found = [one + other for one, other in zip(found, each, strict=True)] if found else each
            if self._store:
                self._store.write(found)
            if done % LINE_BATCHES == 0:
                print(f"{done} of {self._batches} batches", flush=True)
        return dict(zip(self._trial.players, found, strict=True))

    def _each(self, jobs: int, begun: int) -> Iterator[list[Tally]]:
        # a forked process gets the tables without a copy
        with ProcessPoolExecutor(jobs, get_context("fork"), _start, (self._trial,)) as pool:
            futures = [pool.submit(_batch, number) for number in range(begun, self._batches)]
            for future in futures:
                yield future.result()
                if self._stopped:
                    pool.shutdown(cancel_futures=True)
                    return


def _start(trial: Trial) -> None:
    """Prepare a process of the pool: store its trial, and ignore the signals that end the run, which the
    parent handles."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _shared[:] = [trial]


def _batch(number: int) -> list[Tally]:
    return _shared[0].tallies(number, SITTINGS)


def main() -> None:
    text = "evidence against six kinds of honest players over many rounds; SIGTERM prints what is done"
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.volume", description=text)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--rounds", type=int, default=100_000, metavar="N", help="of each player, at least")
    parser.add_argument("--length", type=int, default=100, metavar="N", help="rounds of a sitting")
    parser.add_argument(
        "--checked", type=int, default=1, metavar="N", help="sittings of each player compared"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--sums", type=Path, metavar="FILE.npz", help="continue the run whose sums FILE has")
    args = parser.parse_args()
    odds, progress = shipped(args.rules).odds, ProgressLine()
    values = PackValues(odds, first_tables(odds))
    players, kinds = honest(odds), range(len(HOLE_KINDS))
    store = args.sums and Store(args.sums, args.seed, args.length, args.rules, list(players))
    if store:
        store.read()  # raises at once if the file belongs to another trial
    chances = chances_of(values, kinds, lambda done, of: progress.show(bar(done, of)))
    progress.clear()
    trial = Trial(values, kinds, chances, players, args.seed, args.length)
    gaps = ", ".join(f"{name} {gap:.1e}" for name, gap in trial.differences(args.checked).items())
    checked = args.checked * args.length * len(trial.players)
    print(f"largest differences of logarithms from the program's, {checked} rounds: {gaps}", flush=True)
    trial.tallies(0, SITTINGS)  # the best player computes every kind of hole before the processes start
    run = Run(trial, max(1, args.rounds // args.length), store)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, run.stop)
    print(*lines(run.tallies(args.jobs), args.length), sep="\n", flush=True)
