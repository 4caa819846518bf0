"""`python -m tests.trials.dealer_figures`: figures of a simulated dealer who errs, with confidence intervals.

The same dealer plays the same cards, wagers and seed once with errors and once without. Measured are errors
per 1,000 settlements by kind, the errors that the table named before the end of the round, and touches and
seconds of a round. The column "left without the table" counts all errors, since without prompts and alerts
they would stay. `--write` writes the data file and the table of the page beside it (tests/DEALERS.md). A
simulated dealer's rate of errors is chosen, not measured: only the difference made by the table is a finding.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, lgamma, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from controller.mock.bench.bench import Hands, Pace, play
from controller.mock.bench.options import Options
from controller.mock.people.error_log import NAMED_BY, Account
from controller.mock.people.players import View
from controller.mock.run import Run, people
from tests.mock.counting import Counting

DATA, PAGE = Path("tests/dealers.json"), Path("tests/DEALERS.md")
BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
LEVEL = 0.95
NORMAL = 1.96
"""Standard errors on either side of a mean at 95 %."""


@dataclass
class Played:
    """Measurements of one run. `seconds`: by phase, then by round, of the simulated clock."""

    settlements: int = 0
    account: Account = field(default_factory=Account)
    touches: list[int] = field(default_factory=list)
    seconds: dict[str, Counter[int]] = field(default_factory=dict)


def played(rounds: int, share: float, seed: int) -> Played:
    """Play the rounds; a dealer with `share` 0 makes no error."""
    bench, found = Counting(Options(seed=seed, wires=False)), Played()
    records: list[Any] = []
    last: list[tuple[str, int, float]] = []

    def seen(view: View) -> None:
        records.extend(bench.records())
        now = bench.seconds()
        if last:
            phase, number, then = last.pop()
            found.seconds.setdefault(phase, Counter())[number] += now - then  # type: ignore[assignment]
        last.append((view["phase"], view["round"], now))

    async def run() -> None:
        await bench.start()
        try:
            around, clumsy = people(Run(bench.options, clumsy=share))
            hands = Hands(bench, Pace(None, bench.elapse))
            await play(hands, around, lambda _view: len(records) > rounds, on_view=seen)
            if clumsy is not None:
                found.account = clumsy.account
        finally:
            await bench.stop()

    asyncio.run(run())
    # the first round includes the table's opening
    numbers = [record["round"] for record in records[1 : rounds + 1]]
    found.settlements = sum(len(record["settlement_order"]) for record in records[1 : rounds + 1])
    found.touches = [bench.touches[number] for number in numbers]
    found.seconds = {
        phase: Counter({number: by_round[number] for number in numbers})
        for phase, by_round in found.seconds.items()
    }
    kept = {*numbers}
    found.account.errors[:] = [error for error in found.account.errors if error.round in kept]
    return found


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
    """Return the probability of at most `count` events."""
    if not rate:
        return 1.0
    return sum(exp(each * log(rate) - rate - lgamma(each + 1)) for each in range(count + 1))


def mean_bounds(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval."""
    error = NORMAL * stdev(values) / sqrt(len(values))
    return mean(values), mean(values) - error, mean(values) + error


def data_of(erring: Played, exact: Played, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data file."""
    made = erring.account.made()
    kinds = {kind: [error for error in made if error.kind == kind] for kind in NAMED_BY}
    return {
        **options, "settlements": erring.settlements,
        "errors": {
            kind: _rates(len(each), sum(not error.caught for error in each), erring.settlements)
            for kind, each in {**kinds, "all": made}.items()
        },
        "false_alarms": len(erring.account.false_alarms),
        "touches": {name: _mean(each.touches) for name, each in (("erring", erring), ("exact", exact))},
        "seconds": {
            phase: {name: _mean([*each.seconds[phase].values()]) for name, each in
                    (("erring", erring), ("exact", exact)) if phase in each.seconds}
            for phase in erring.seconds if sum(erring.seconds[phase].values())
        },
    }  # fmt: skip


def _rates(made: int, left: int, settlements: int) -> dict[str, Any]:
    def thousand(count: int) -> list[float]:
        return [round(1000 * each / settlements, 3) for each in (count, *poisson_bounds(count))]

    return {"made": made, "without_table": thousand(made), "left": left, "with_table": thousand(left)}


def _mean(values: Sequence[float]) -> list[float]:
    return [round(each, 2) for each in mean_bounds(values)]


def page_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables of the page."""
    yield (
        f"{data['rounds']} rounds, seed {data['seed']}, an error at {data['share']:.0%} of the steps, "
        f"{data['settlements']:,} settlements, {data['false_alarms']} false alarms.\n"
    )
    yield "| error | made | left without the table, per 1,000 settlements | left with it |"
    yield "|---|---:|---:|---:|"
    for kind, each in data["errors"].items():
        yield f"| `{kind}` | {each['made']} | {_span(each['without_table'])} | {_span(each['with_table'])} |"
    yield "\n| a round | without errors | with errors, all corrected |\n|---|---:|---:|"
    rows = {"touches": data["touches"], **{f"seconds, {key}": each for key, each in data["seconds"].items()}}
    for name, each in rows.items():
        yield f"| {name} | {_span(each.get('exact', ()))} | {_span(each['erring'])} |"


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
    data = data_of(played(args.rounds, args.share, args.seed), played(args.rounds, 0.0, args.seed), options)
    table = "\n".join(page_lines(data))
    print(table)
    if args.write:
        DATA.write_text(f"{json.dumps(data, indent=2)}\n", encoding="utf-8")
        head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        text = f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
