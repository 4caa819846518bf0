"""`make bench`: every figure in one run, as a table on the screen and in `bench.json`.

Measurements run one after the other, on a machine that should be idle. With `--quick` there are so few
repetitions that the figures mean little.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.mock.bench.layout import MAX_READABLE_CHIPS
from controller.rules.odds.pack import odds_of
from controller.rules.packs.loader import find_pack, load_pack
from controller.rules.volume.best_player import Best
from drivers.chips.kinds import DEFAULT, FEIG, READER_KINDS, SEAT_BOARD
from drivers.chips.schedule import SlotRule
from tests.trials.bench import endurance, latency, odds, pure, rival
from tests.trials.bench.field import measure_cost, measure_laid, measure_scan
from tests.trials.bench.figures import table, write
from tests.volume.rate import rate

CHIPS = (0, 1, 3, 6)
DEPTHS = (0, 1, 3, 5, 10, 20, 40)
"""Numbers of chips in a circle at which two kinds of reader are compared."""
OTHERS = 3
"""Maximum number of chips in each other circle while several chips are laid at once in one circle."""
UNSTABLE = f"unstable above {MAX_READABLE_CHIPS}"
RACED = 3
"""Number of runs of the pure game and of pokerkit. They alternate, so that both meet the same load, and the
best run of each counts."""


@dataclass(frozen=True, slots=True)
class Size:
    """Number of repetitions of each measurement, by its name."""

    pure: int = 400
    rounds: int = 1000
    no_wires: int = 300
    cards: int = 300
    scans: int = 7
    laid: int = 60
    together: int = 20
    starts: int = 5
    cost_s: float = 8.0
    batches: int = 25
    holes: int = 169


QUICK = Size(
    pure=40,
    rounds=20,
    no_wires=20,
    cards=34,
    scans=2,
    laid=5,
    together=2,
    starts=1,
    cost_s=1.0,
    batches=3,
    holes=2,
)


def print_progress(words: str) -> None:
    sys.stderr.write(f"  {words}\n")
    sys.stderr.flush()


def game(size: Size) -> Mapping[str, Any]:
    races = [(pure.measure(size.pure), rival.measure(size.pure)) for _ in range(RACED)]
    return {
        "pure_rounds_per_s": max(ours for ours, _ in races),
        "pokerkit_rounds_per_s": max(theirs for _, theirs in races),
    }


def cards(size: Size) -> Mapping[str, Any]:
    return {
        **asyncio.run(latency.measure_cards(size.cards)),
        **asyncio.run(latency.measure_sealed(size.cards)),
    }


def scans(size: Size) -> Mapping[str, Any]:
    def by_chips(slots: SlotRule) -> dict[str, float]:
        return {str(chips): measure_scan(slots, chips, size.scans) for chips in CHIPS}

    return {"scan_ms": by_chips("all"), "scan_odd_even_ms": by_chips("odd_even")}


def boards(size: Size) -> Mapping[str, Any]:
    """Measure scans over seat boards, and the processor time that reading takes on the Pi for either kind of
    reader."""
    by_chips = {str(chips): measure_scan("all", chips, size.scans, kind=SEAT_BOARD) for chips in CHIPS}
    costs = {kind: {str(n): measure_cost(kind, n, size.cost_s) for n in (0, 3)} for kind in READER_KINDS}
    daemon = {kind: asyncio.run(latency.measure_daemon(kind, size.cost_s)) for kind in READER_KINDS}
    return {"scan_seat_board_ms": by_chips, "reading": costs, "daemon_cpu_percent": daemon}


def two_kinds(size: Size, depths: Sequence[int] = DEPTHS) -> Mapping[str, Any]:
    """Measure scans of all circles, and the time until chips laid at once in a due circle are known, over
    lines to PN532 and to FEIG readers. `depths`: numbers of chips in a circle."""

    def measured(kind: str, chips: int) -> Any:
        if kind == DEFAULT and chips > MAX_READABLE_CHIPS:
            return UNSTABLE
        scan = measure_scan("all", chips, size.scans, kind=kind)
        if not chips:
            return {"scan": scan}
        others = min(chips, OTHERS)
        return {"scan": scan, "laid": measure_laid(chips, size.together, kind=kind, before=0, others=others)}

    kinds = (DEFAULT, FEIG)
    return {"two_kinds_ms": {kind: {str(each): measured(kind, each) for each in depths} for kind in kinds}}


def par(size: Size) -> Mapping[str, Any]:
    return {"par": odds.measure(size.holes)}


def known(size: Size) -> Mapping[str, Any]:
    return {"chip_known_ms": {str(chips): measure_laid(chips, size.laid) for chips in (1, 3)}}


def start(size: Size) -> Mapping[str, Any]:
    return {"start_s": asyncio.run(latency.measure_start(size.starts))}


def volume(size: Size) -> Mapping[str, Any]:
    return {"mock_rounds_per_s_no_wires": endurance.rate(size.no_wires, "--no-wires")}


def kernel(size: Size) -> Mapping[str, Any]:
    """Measure how many rounds of six seats the volume kernel plays per second on one processor."""
    pack = load_pack(find_pack("pennsylvania"))
    best = Best(odds_of(pack))
    rate(pack, best, 1)  # solves every kind of hole before the measurement
    rates = {"any": rate(pack, None, size.batches), "best": rate(pack, best, size.batches)}
    return {"kernel_rounds_per_s": rates}


def memory(size: Size) -> Mapping[str, Any]:
    return endurance.measure(size.rounds, print_progress)


PARTS: Mapping[str, Callable[[Size], Mapping[str, Any]]] = {
    "the pure game, and pokerkit": game,
    "the kernel for volume": kernel,
    "the odds of a pack, counted": par,
    "a full scan of 42 readers": scans,
    "the same on seat boards, and what reading costs": boards,
    "PN532 and FEIG readers, 0 to 40 chips a circle": two_kinds,
    "a chip laid where something is due": known,
    "process to READY": start,
    "a card to its ACK, its lamp, its prompt": cards,
    "the mock table without wires": volume,
    "the mock table over wires, and the daemon's memory": memory,
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a minute or two, figures that mean little")
    parser.add_argument("--out", type=Path, default=Path("bench.json"), metavar="FILE", help="bench.json")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    size = QUICK if args.quick else Size()
    results: dict[str, Any] = {}
    for what, measure in PARTS.items():
        sys.stderr.write(f"{what} …\n")
        results |= measure(size)
    write(results, args.out)
    print(table(results))
    print_progress(f"written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
