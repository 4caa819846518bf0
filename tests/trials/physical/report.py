"""Long run of the physical table: rounds for all ways of dealing, and a table of the acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from controller.game.model.names import Method
from tests.trials.physical.play import Run, play

PART = 500
"""Rounds that one unit of work plays with one table."""


def pieces(ways: Mapping[str, Sequence[str]], rounds: int) -> Iterator[tuple[str, Method, int, int]]:
    """Yield (pack, method, seed, rounds) of each unit of work."""
    seed = 0
    for rules, methods in ways.items():
        for place, method in enumerate(methods):
            share = rounds // len(methods) + (place < rounds % len(methods))
            for begun in range(0, share, PART):
                seed += 1
                yield rules, Method(method), seed, min(PART, share - begun)


def runs(
    ways: Mapping[str, Sequence[str]],
    rounds: int,
    jobs: int,
    print_progress: Callable[[str], None] = lambda _words: None,
    kind: str = "",
) -> list[Run]:
    """Play `rounds` of each pack. `print_progress` receives the rounds done, and each difference with its
    seed. `kind`: kind of the readers; "" for none."""
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(play, *piece, kind) for piece in pieces(ways, rounds)]
        done = 0
        for each in as_completed(waiting):
            run = each.result()
            done += run.rounds
            print_progress(f"physical table: {done} of {rounds * len(ways)} rounds, {run.rules} {run.method}")
            for words in run.wrong:
                print_progress(words)
        return [each.result() for each in waiting]


def lines(done: Sequence[Run]) -> Iterator[str]:
    """Yield a row for each pack, then the acts done, then each difference with the seed that reproduces
    it."""
    yield "\n| physical table | rounds | settled | void | wrong cards | signatures | differences |"
    yield "|---|---|---|---|---|---|---|"
    for rules in dict.fromkeys(run.rules for run in done):
        mine = [run for run in done if run.rules == rules]
        counts = sum((run.counts for run in mine), Counter[str]())
        rounds, wrong = sum(run.rounds for run in mine), sum(len(run.wrong) for run in mine)
        cells = (
            rounds,
            counts["record settled"],
            counts["record void"],
            counts["card that differs: approve"],
            counts["signed"],
            wrong,
        )
        yield f"| `{rules}` | " + " | ".join(map(str, cells)) + " |"
    every = sum((run.counts for run in done), Counter[str]())
    yield "\n" + ", ".join(f"{what} {times}" for what, times in sorted(every.items()))
    yield from (words for run in done for words in run.wrong)
