"""`make soak`: thousands of random rounds of every pack and way of dealing, each recomputed independently.

For each pack and seed it plays rounds over the wires and without them, distributed over the pack's ways of
dealing and over tables of one to six players, with misbehaving players and an erring dealer. Then it plays
with an independently written shoe over every kind of bad cable. It ends with status 1 if a record differs
from its recomputation or is missing, or if a table did not end properly. It makes no decision about the game.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from controller.common.files.packaged import data_dir
from controller.rules.packs.loader import load_pack
from drivers.chips.kinds import READER_KINDS
from tests.mocked import Mocked, MockEnded
from tests.recompute import differences
from tests.trials.physical import report as physical
from tests.trials.stranger.play import plays
from tests.trouble.report import dealers, players

SHOWN = 20
"""Maximum number of differences printed for a run; all are counted."""
REPORT_INTERVAL_S = 15.0


@dataclass(frozen=True, slots=True)
class Job:
    """One run of the mock table, with its options."""

    pack: str
    method: str
    seed: int
    rounds: int
    wires: bool
    mischief: float
    clumsy: float
    voids: float
    seats: int

    @property
    def name(self) -> str:
        where = "wires" if self.wires else "no wires"
        return f"{self.pack} {self.method} {where} seed {self.seed} seats {self.seats}"

    @property
    def arguments(self) -> tuple[str, ...]:
        return (
            "--rules", self.pack, "--method", self.method, "--seed", str(self.seed),
            "--seats", str(self.seats), "--rounds", str(self.rounds),
            "--mischief", str(self.mischief), "--clumsy", str(self.clumsy), "--voids", str(self.voids),
            *(() if self.wires else ("--no-wires",)),
        )  # fmt: skip


@dataclass(slots=True)
class Outcome:
    """Result of a run: its counts, and the differences found."""

    job: Job
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    error_lines: list[str] = field(default_factory=list)
    """Lines that the mock printed on standard error, including the report on the dealer."""

    def take(self, number: int, record: dict[str, object]) -> None:
        """Recompute record `number` and note the differences. Rounds must follow one another without a
        gap."""
        self.counts["rounds"] += 1
        self.counts[str(record["outcome"])] += 1
        if record["round"] != number:
            self.wrong.append(f"record {number} is of round {record['round']}")
        self.wrong.extend(differences(record))


def play(job: Job, print_progress: Callable[[str], None]) -> Outcome:
    """Play the whole run and recompute each record."""
    outcome = Outcome(job)
    began = reported = time.monotonic()
    try:
        with Mocked(*job.arguments) as mock:
            for number, record in enumerate(mock.records(), 1):
                outcome.take(number, record)
                if time.monotonic() - reported > REPORT_INTERVAL_S:
                    reported = time.monotonic()
                    print_progress(f"{job.name}: {number} of {job.rounds}, {len(outcome.wrong)} differences")
            outcome.error_lines = mock.error_lines()
    except MockEnded as error:
        outcome.wrong.append(str(error))
    if outcome.counts["rounds"] != job.rounds:
        outcome.wrong.append(f"{outcome.counts['rounds']} records instead of {job.rounds}")
    outcome.seconds = time.monotonic() - began
    return outcome


def ways() -> dict[str, tuple[str, ...]]:
    """Return every pack of the project with its ways of dealing."""
    packs = [load_pack(path) for path in sorted((data_dir("config") / "rules").glob("*.yaml"))]
    return {pack.key: tuple(str(method) for method in pack.deals) for pack in packs}


def shares(rounds: int, parts: int) -> list[int]:
    """Divide `rounds` into parts that are as equal as whole numbers can be."""
    return [rounds // parts + (part < rounds % parts) for part in range(parts)]


def jobs(args: argparse.Namespace) -> Iterator[Job]:
    for pack, methods in ways().items():
        if not args.rules or pack in args.rules:
            for seed in args.seeds:
                yield from seeded(args, pack, methods, seed)


def seeded(args: argparse.Namespace, pack: str, methods: Sequence[str], seed: int) -> Iterator[Job]:
    """Yield a run for each way of dealing of the pack, each with another number of players."""
    for wires, rounds in ((True, args.wires), (False, args.no_wires)):
        parts = zip(methods, shares(rounds, len(methods)), strict=True)
        for place, (method, share) in enumerate(parts):
            if share:
                seats = 6 - (seed + place) % 6
                yield Job(pack, method, seed, share, wires, args.mischief, args.clumsy, args.voids, seats)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--rules", nargs="+", metavar="KEY", help="these packs; default: all")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], metavar="N", help="default: 1 2")
    parser.add_argument("--wires", type=int, default=300, metavar="N", help="rounds over wires; default: 300")
    parser.add_argument("--no-wires", type=int, default=20_000, metavar="N", help="without; default: 20000")
    parser.add_argument("--mischief", type=float, default=0.3, metavar="P")
    parser.add_argument("--clumsy", type=float, default=0.1, metavar="P")
    parser.add_argument("--voids", type=float, default=0.05, metavar="P")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="tables at a time; default: 2")
    parser.add_argument(
        "--stranger", type=int, default=50, metavar="N", help="rounds of each stranger's shoe; default: 50"
    )
    parser.add_argument(
        "--trouble", type=int, default=2_000, metavar="N",
        help="rounds with troubled readers and as many with cheats; a tenth of it over wires; default: 2000",
    )  # fmt: skip
    parser.add_argument(
        "--physical", type=int, default=20_000, metavar="N",
        help="rounds of each pack on a physical table; default: 20000",
    )  # fmt: skip
    parser.add_argument(
        "--readers", choices=list(READER_KINDS), default="",
        help="kind of the readers of the physical table; the same hands must give the same records without "
        "readers; default: none",
    )  # fmt: skip
    parser.add_argument("--only", choices=("physical",), help="this part alone; default: all parts")
    return parser.parse_args(given)


def line(outcome: Outcome) -> str:
    counts = outcome.counts
    rate = counts["rounds"] / outcome.seconds
    return (
        f"{outcome.job.name:<64}{counts['rounds']:>8}{counts['settled']:>9}{counts['void']:>7}"
        f"{rate:>9.1f}{len(outcome.wrong):>8}"
    )


def print_progress(words: str) -> None:
    sys.stderr.write(words + "\n")
    sys.stderr.flush()


def report(outcome: Outcome) -> Outcome:
    for words in outcome.wrong[:SHOWN]:
        print(f"{outcome.job.name}: {words}")
    unsure = [words for words in outcome.error_lines if "; missed" in words or "; false" in words]
    for words in unsure:
        print(f"{outcome.job.name}: {words}")
    if outcome.wrong or unsure:
        print(f"again: crisscross mock {' '.join(outcome.job.arguments)} --speed max --headless --json")
    print_progress(line(outcome))
    return outcome


def strangers(rounds: int) -> int:
    """Play tables with the independent shoe. Returns the number of wrong cards and records."""
    wrong = 0
    for case, found in plays(rounds) if rounds else ():
        wrong += len(found.wrong)
        print(f"stranger's shoe, {case.name}: {found.words()}", flush=True)
    return wrong


def hands(args: argparse.Namespace) -> int:
    """Play physical tables. Returns the number of records that differ from the movements of real chips."""
    chosen = {key: methods for key, methods in ways().items() if not args.rules or key in args.rules}
    began = time.monotonic()
    done = (
        physical.runs(chosen, args.physical, args.jobs, print_progress, args.readers) if args.physical else []
    )
    print("\n".join(physical.lines(done)) if done else "")
    rounds = sum(run.rounds for run in done)
    print_progress(f"physical table: {rounds} rounds in {time.monotonic() - began:.0f} s")
    return sum(len(run.wrong) for run in done)


def main() -> int:
    args = arguments()
    if args.only:
        return 1 if hands(args) or not args.physical else 0
    with ThreadPoolExecutor(args.jobs) as pool:
        outcomes = list(pool.map(lambda job: report(play(job, print_progress)), jobs(args)))
    print(f"{'run':<64}{'rounds':>8}{'settled':>9}{'void':>7}{'a second':>9}{'wrong':>8}")
    for outcome in outcomes:
        print(line(outcome))
    for wires in (True, False):
        ran = [outcome for outcome in outcomes if outcome.job.wires is wires]
        rounds = sum(outcome.counts["rounds"] for outcome in ran)
        print("\n".join(dealers(rounds, wires, [words for outcome in ran for words in outcome.error_lines])))
    for words in players(args.trouble):
        print(words, flush=True)
    wrong = sum(len(outcome.wrong) for outcome in outcomes) + strangers(args.stranger) + hands(args)
    print(f"{sum(outcome.counts['rounds'] for outcome in outcomes)} rounds, {wrong} differences")
    return 1 if wrong or not (outcomes or args.physical) else 0


if __name__ == "__main__":
    sys.exit(main())
