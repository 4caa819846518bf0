"""Report of the trial: mean evidence by player and hypothesis, and false alarms beside the guarantee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.trials.evidence.alarms import guarantee
from tests.trials.evidence.volume.tally import BOUNDS, NAMES, Tally

TAILS = (
    "A sitting's evidence has heavy tails: most of its mean lies in sittings too rare to occur here, so the "
    "standard error at the end is an underestimate, and a mean far below one is no fault."
)


def lines(found: Mapping[str, Tally], length: int) -> Iterator[str]:
    """Yield the lines of the report. `found`: sums by player; all players had the same deals."""
    many = next(iter(found.values()))
    yield f"{many.rounds:,} rounds of each player, {many.sittings:,} sittings of {length} rounds"
    yield "round: mean evidence after one round alone, the mean over the three strengths; 1 without evidence"
    yield "end: mean evidence at the end of a sitting; peaks: sittings that ever reach a bound"
    yield f"guarantee of peaks, mean at most: {guarantee(many.sittings, BOUNDS)}"
    for player, each in found.items():
        for column, name in enumerate(NAMES):
            (mean, error), (end, end_error) = each.round_mean(column), each.end_mean(column)
            peaks = ", ".join(
                f"{bound:,}: {many}" for bound, many in zip(BOUNDS, each.peaks[column], strict=True)
            )
            means = (
                f"round {mean:.6f} ± {error:.6f} (z {_z(mean, error):+.2f}), end {end:.4f} ± {end_error:.4f}"
            )
            yield f"{player}, {name}: {means}; {peaks}"
    yield from _largest(found)
    yield TAILS


def _largest(found: Mapping[str, Tally]) -> Iterator[str]:
    """Yield a line for the largest deviations of a mean from one, and for each bound the largest number of
    sittings that reach it, with player and hypothesis."""
    rows = [(player, column) for player in found for column in range(len(NAMES))]

    def z(row: tuple[str, int]) -> float:
        return _z(*found[row[0]].round_mean(row[1]))

    for words, row in (
        ("largest |z|", max(rows, key=lambda row: abs(z(row)))), ("largest z", max(rows, key=z)),
    ):  # fmt: skip
        yield f"{words} of {len(rows)} means of a round: {z(row):+.2f}, {row[0]}, {NAMES[row[1]]}"
    for at, bound in enumerate(BOUNDS):
        player, column = max(rows, key=lambda row: int(found[row[0]].peaks[row[1], at]))
        sums = sum(int(each.peaks[:-1, at].sum()) for each in found.values())
        combined = sum(int(each.peaks[-1, at]) for each in found.values())
        most = f"{found[player].peaks[column, at]} ({player}, {NAMES[column]})"
        yield f"peaks of {bound:,}: combined {combined}, single {sums}, most {most}"


def _z(mean: float, error: float) -> float:
    """Return the deviation from one in standard errors; 0 if the mean is exactly one."""
    return (mean - 1) / error if error else 0.0
