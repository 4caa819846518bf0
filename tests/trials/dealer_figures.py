"""`python -m tests.trials.dealer_figures`: figures of a simulated dealer who errs, with confidence intervals.

The same dealer plays the same cards, wagers and seed three times: with errors and the table's prompts and
alerts, with errors and without prompts and alerts, and without errors. Measured are the errors that stay in
the records, per 1,000 settlements by kind, the money that they move, and touches and seconds of a round.
`--write` writes the data file and the table of the page beside it (tests/DEALERS.md). A simulated dealer's
rate of errors is chosen, not measured: only the difference made by the table is a finding.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, lgamma, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from controller.mock.bench.bench import Hands, Pace, Person, ViewData, play
from controller.mock.bench.options import MockOptions, seats_to_play
from controller.mock.people.erring_dealer import ErringDealer
from controller.mock.people.error_log import NAMED_BY, Account, Error
from controller.mock.people.players import Players
from controller.mock.run import Run, people
from controller.practice.examiner import Examiner
from tests.mock.counting import Counting
from tests.trials.silent_dealer import SilentDealer

DATA, PAGE = Path("tests/dealers.json"), Path("tests/DEALERS.md")
BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
LEVEL = 0.95
PARTS = ("made, left", "left, per 1,000 settlements")
WAYS = ("much", "little")
RUNS = ("silent", "erring", "exact")
"""Names of the runs in the data file: errors without prompts and alerts, errors with them, no errors."""
NORMAL = 1.96
"""Number of standard errors on either side of a mean that give its interval at 95 %."""


@dataclass
class Played:
    """Measurements of one run. `left`: errors that nobody put right. `signed`: for each round, the cents by
    which these errors left players above and below their due, as the readers saw them. `touches`: number of
    touches in each round. `seconds`: seconds of the simulated clock, by phase and then by round."""

    settlements: int = 0
    account: Account = field(default_factory=Account)
    left: list[Error] = field(default_factory=list)
    signed: list[tuple[int, int]] = field(default_factory=list)
    touches: list[int] = field(default_factory=list)
    seconds: dict[str, Counter[int]] = field(default_factory=dict)


def around(run: Run, *, silent: bool) -> tuple[Sequence[Person], ErringDealer | None]:
    """Return the people of a run, and the dealer among them. `silent`: whether the dealer sees no prompts and
    alerts."""
    if not silent:
        return people(run)
    players = Players(run.table.seed, seats_to_play(run.seats))
    dealer = SilentDealer(run.table.seed, players.folds, players.ready, run.clumsy)
    return (dealer, Examiner(), players), dealer


def played(rounds: int, share: float, seed: int, *, silent: bool = False) -> Played:
    """Play the rounds with an erring dealer. `share`: share of the steps in which the dealer errs; `silent`:
    whether no alert is shown."""
    bench, found = Counting(MockOptions(seed=seed, wires=False)), Played()
    records: list[Any] = []
    last: list[tuple[str, int, float]] = []

    def seen(view: ViewData) -> None:
        records.extend(bench.records())
        now = bench.seconds()
        if last:
            phase, number, then = last.pop()
            found.seconds.setdefault(phase, Counter())[number] += now - then  # type: ignore[assignment]
        last.append((view["phase"], view["round"], now))

    async def run() -> None:
        await bench.start()
        try:
            persons, clumsy = around(Run(bench.options, clumsy=share), silent=silent)
            hands = Hands(bench, Pace(None, bench.elapse))
            await play(hands, persons, lambda _view: len(records) > rounds, on_view=seen)
            if clumsy is not None:
                found.account = clumsy.account
        finally:
            await bench.stop()

    asyncio.run(run())
    records = records[1 : rounds + 1]  # the first round includes the table's opening
    numbers = [record["round"] for record in records]
    found.settlements = sum(len(record["settlement_order"]) for record in records)
    found.signed = [signed(record) for record in records]
    found.touches = [bench.touches[number] for number in numbers]
    found.seconds = {
        phase: Counter({number: by_round[number] for number in numbers})
        for phase, by_round in found.seconds.items()
    }
    kept = {*numbers}
    found.account.errors[:] = [error for error in found.account.errors if error.round in kept]
    wrong = {
        (record["round"], each["seat"], each["wager"]) for record in records for each in record["corrections"]
    }
    found.left = [error for error in found.account.made() if is_left(error, wrong)]
    return found


def signed(record: Mapping[str, Any]) -> tuple[int, int]:
    """Return two sums in cents for a round: by how much its signed differences left players above their due,
    and below."""
    cents = [each["cents"] for each in record["corrections"]]
    return sum(each for each in cents if each > 0), -sum(each for each in cents if each < 0)


def is_left(error: Error, wrong: Container[tuple[int, int, str]]) -> bool:
    """Return whether nobody put an error right: its difference of money was signed, which puts its circle
    into `wrong`, or no report named the misplaced cards."""
    if error.places:
        return not error.caught
    circles = (circle for circle in (error.circle, error.due) if circle is not None)
    return any((error.round, circle.seat, circle.wager.value) in wrong for circle in circles)


def poisson_bounds(count: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a Poisson mean (Garwood 1936), by bisection."""
    tail = (1 - LEVEL) / 2
    low = _solve(lambda rate: 1 - _at_most(count - 1, rate) - tail, count) if count else 0.0
    return low, _solve(lambda rate: tail - _at_most(count, rate), count)


def _solve(rising: Any, count: int) -> float:
    low, high = 0.0, count + 10 * sqrt(count + 1) + 10
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return low


def _at_most(count: int, rate: float) -> float:
    """Return the probability that a Poisson variable with the mean `rate` is at most `count`."""
    if not rate:
        return 1.0
    return sum(exp(each * log(rate) - rate - lgamma(each + 1)) for each in range(count + 1))


def mean_bounds(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval."""
    error = NORMAL * stdev(values) / sqrt(len(values))
    return mean(values), mean(values) - error, mean(values) + error


def data_of(erring: Played, silent: Played, exact: Played, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of the data file from three runs: with errors and alerts, with errors and without
    alerts, without errors."""
    return {
        **options, "settlements": erring.settlements, "settlements_silent": silent.settlements,
        "errors": {kind: _rates(kind, erring, silent) for kind in (*NAMED_BY, "all")},
        "false_alarms": len(erring.account.false_alarms),
        "cents": {
            name: {way: _mean([each[at] for each in run.signed]) for at, way in enumerate(WAYS)}
            for name, run in (("silent", silent), ("erring", erring))
        },
        **paces(dict(zip(RUNS, (silent, erring, exact), strict=True))),
    }  # fmt: skip


def paces(runs: Mapping[str, Played]) -> dict[str, Any]:
    """Return touches and seconds of a round by run, with their intervals. A phase that no run spent time in
    is left out."""
    phases = dict.fromkeys(phase for run in runs.values() for phase in run.seconds)
    return {
        "touches": {name: _mean(run.touches) for name, run in runs.items()},
        "seconds": {
            phase: {
                name: _mean([*run.seconds[phase].values()])
                for name, run in runs.items()
                if phase in run.seconds
            }
            for phase in phases
            if any(sum(run.seconds.get(phase, {}).values()) for run in runs.values())
        },
    }


def _rates(kind: str, erring: Played, silent: Played) -> dict[str, Any]:
    def count(errors: Iterable[Error]) -> int:
        return sum(kind in (error.kind, "all") for error in errors)

    def thousand(run: Played) -> list[float]:
        left = count(run.left)
        return [round(1000 * each / run.settlements, 3) for each in (left, *poisson_bounds(left))]

    return {
        "made": count(erring.account.made()), "left": count(erring.left), "with_table": thousand(erring),
        "made_silent": count(silent.account.made()), "left_silent": count(silent.left),
        "without_table": thousand(silent),
    }  # fmt: skip


def _mean(values: Sequence[float]) -> list[float]:
    return [round(each, 2) for each in mean_bounds(values)]


def page_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables of the page."""
    yield (
        f"{data['rounds']} rounds, seed {data['seed']}, an error at {data['share']:.0%} of the steps, "
        f"{data['settlements']:,} settlements, {data['false_alarms']} false alarms; "
        f"{data['settlements_silent']:,} settlements without prompts and alerts.\n"
    )
    parts = ("error", *(f"{run} prompts: {part}" for run in ("without", "with") for part in PARTS))
    yield f"| {' | '.join(parts)} |"
    yield "|---|---:|---:|---:|---:|"
    for kind, each in data["errors"].items():
        silent = f"{each['made_silent']}, {each['left_silent']} | {_span(each['without_table'])}"
        yield f"| `{kind}` | {silent} | {each['made']}, {each['left']} | {_span(each['with_table'])} |"
    yield "\n| a round, in dollars | without prompts | with them |\n|---|---:|---:|"
    for way in WAYS:
        spans = [
            _span([round(cents / 100, 2) for cents in data["cents"][name][way]])
            for name in ("silent", "erring")
        ]
        yield f"| players have too {way} | {spans[0]} | {spans[1]} |"
    yield "\n| a round | with errors, without prompts | with errors and prompts | without errors |"
    yield "|---|---:|---:|---:|"
    rows = {"touches": data["touches"], **{f"seconds, {key}": each for key, each in data["seconds"].items()}}
    for name, each in rows.items():
        yield f"| {name} | {' | '.join(_span(each.get(run, ())) for run in RUNS)} |"


def _span(each: Sequence[float]) -> str:
    return f"{each[0]:g} ({each[1]:g} to {each[2]:g})" if each else ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.dealer_figures", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, metavar="N")
    parser.add_argument("--share", type=float, default=0.05, metavar="P", help="of steps with an error")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--write", action="store_true", help=f"write {DATA} and the table of {PAGE}")
    args = parser.parse_args()
    options = {"rounds": args.rounds, "share": args.share, "seed": args.seed}
    erring, silent = (played(args.rounds, args.share, args.seed, silent=each) for each in (False, True))
    data = data_of(erring, silent, played(args.rounds, 0.0, args.seed), options)
    table = "\n".join(page_lines(data))
    print(table)
    if args.write:
        DATA.write_text(f"{json.dumps(data, indent=2)}\n", encoding="utf-8")
        head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        text = f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
