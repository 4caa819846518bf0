"""Results of the soak for mispays, troubled readers and cheating players, as lines of Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from controller.mock.people.error_log import WITHOUT_CAUSE, table, without_cause
from tests.trouble import cheats, honest

HEAD = tuple(islice(table([]), 2))
WHERE = {True: "over the wires", False: "without wires"}


def dealers(rounds: int, wires: bool, error_lines: Sequence[str]) -> Iterator[str]:
    """Yield a row for each kind of error that the dealers of many runs made; `error_lines`: the standard
    error of those runs."""
    if not rounds:
        return
    sums: dict[str, list[int]] = {}
    for line in error_lines:
        if line.startswith("| `"):
            kind, *numbers = (cell.strip() for cell in line.strip("|").split("|"))
            known = sums.setdefault(kind, [0] * len(numbers))
            sums[kind] = [one + int(more) for one, more in zip(known, numbers, strict=True)]
    yield f"\n{rounds} rounds {WHERE[wires]}:\n"
    yield from HEAD
    yield from (f"| {kind} | " + " | ".join(map(str, numbers)) + " |" for kind, numbers in sums.items())
    yield "\n" + without_cause(_false(error_lines))


def _false(error_lines: Sequence[str]) -> Counter[str]:
    """Return the alerts without a cause in the output of many runs, by code."""
    sums: Counter[str] = Counter()
    for line in error_lines:
        if line.startswith(WITHOUT_CAUSE):
            listed = line.removeprefix(WITHOUT_CAUSE).strip(" .")
            for code, count in (each.split() for each in listed.split(", ") if listed != "none"):
                sums[code] += int(count)
    return sums


def players(rounds: int) -> Iterator[str]:
    """Yield the rates of false alarms while readers fail and of missed cheating; a tenth of the rounds are
    over the wires.
    """
    for wires, count in ((True, rounds // 10), (False, rounds)) if rounds else ():
        calm = honest.play(count, 1, wires)
        yield f"\n{calm.rounds} rounds {WHERE[wires]}, honest hands and troubled readers:\n"
        yield from (f"- {kind}: {times}" for kind, times in sorted(calm.done.items()))
        yield f"- false alarms: {sum(calm.false.values())}, {calm.per_thousand():.1f} in a thousand rounds"
        yield from (f"  - {code}: {times}" for code, times in sorted(calm.false.items()))
        tried = cheats.play(count, 1, wires)
        yield f"\n{tried.rounds} rounds {WHERE[wires]}, players who try it with one chip:\n"
        yield from (f"- {kind}: {times}" for kind, times in sorted(tried.tried.items()))
        yield f"- missed: {len(tried.missed)}, {tried.per_thousand():.1f} of a thousand"
        yield from (f"  - {each}" for each in tried.missed)
