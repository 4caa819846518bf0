"""Counted odds in files: written once on a machine with NumPy, read on tables without it.

A file is named after the digest of its odds. It contains counts, not results: a reader computes the figures
with the pay tables of its pack. A file whose deals do not add up is refused. Only this module writes and
reads the format.

Files are searched in three places, in this order: beside the packs that come with the program, in the folders
of a house's own files, in the user's cache.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

from controller.common.files.atomic_write import replace_text
from controller.common.files.mistakes import Mistakes
from controller.common.files.packaged import data_dir
from controller.game.model.names import Wager
from controller.game.model.side_bets import SIDE_BETS
from controller.rules.odds.counts import Counts, Grid, Hole, Worth
from controller.rules.odds.pack import LINES, Odds

_FORMAT = 1
DEALS = comb(52, 2) * comb(50, 2) * comb(48, 2) * 46
"""Number of different deals of a hole, an Across pair, a Down pair and a Middle."""


@dataclass(frozen=True, slots=True)
class CountedOdds:
    """Counted odds of the packs with one digest. `hands`: number of deals of each class of hand, by side bet.
    `file`: the file that they were read from; None if they have just been counted. `seen`: value of a round
    in antes to a player who looks at a place of the cross too early (`player_knowledge.py`), for the places
    that were computed.
    """

    counts: Counts
    hands: Mapping[Wager, tuple[int, ...]]
    file: Path | None = None
    seen: Mapping[str, float] = field(default_factory=dict)


def file_name(odds: Odds) -> str:
    """Return the name of the file: ``odds-`` and 16 digits of the digest."""
    return f"odds-{odds.digest.removeprefix('sha256:')[:16]}.json"


def shipped_folder() -> Path:
    """Return the folder of the odds that come with the program."""
    return data_dir("config") / "rules" / "odds"


def user_cache(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the user's cache (XDG Base Directory Specification); None for a user without a home."""
    home, user = (Path(environment.get(name, "")) for name in ("XDG_CACHE_HOME", "HOME"))
    if home.is_absolute():
        return home / "crisscross" / "odds"
    return user / ".cache" / "crisscross" / "odds" if user.is_absolute() else None


def find_odds(odds: Odds, folders: Iterable[Path] = ()) -> CountedOdds | None:
    """Return the odds from the first file found: in the program's own folder, then in `folders`, then in the
    user's cache. Returns None if no folder has a file of them. Raises Mistakes if the file is not valid.
    """
    for folder in (shipped_folder(), *folders, user_cache()):
        file = folder / file_name(odds) if folder else None
        if file is not None and file.is_file():
            return read_odds(file, odds)
    return None


# ---------------------------------------------------------------------- writing


def write_odds(folder: Path, odds: Odds, made: CountedOdds) -> Path:
    """Write the odds to a folder, creating it if needed, and return the file. Raises OSError if that
    fails."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / file_name(odds)
    replace_text(file, json.dumps(_as_data(odds, made), separators=(",", ":")) + "\n")
    return file


def _as_data(odds: Odds, made: CountedOdds) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "odds": odds.digest,
        "folded": [[list(bets), deals] for bets, deals in sorted(made.counts.folded.items())],
        "played": [[list(bets), grid] for bets, grid in sorted(made.counts.played.items())],
        "holes": [
            [hole.name, hole.count, hole.across, str(hole.expectation), _worths(hole)]
            for hole in made.counts.holes
        ],
        "hands": {str(wager): list(hands) for wager, hands in sorted(made.hands.items())},
        "seen": dict(made.seen),
    }


def _worths(hole: Hole) -> list[list[int | str]]:
    return [[bet, str(worth.expectation), str(worth.variance)] for bet, worth in hole.worth.items()]


# ---------------------------------------------------------------------- reading


def read_odds(file: Path, odds: Odds) -> CountedOdds:
    """Read a file of odds. Raises Mistakes with one line if it is not valid."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        made = _from_data(data, file)
    except OSError as error:
        raise Mistakes([f"{file}:1: cannot be read: {error.strerror}"]) from error
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise _wrong(file, "not the form that this version writes") from error
    if data["odds"] != odds.digest:
        raise _wrong(file, "other odds than its name says")
    if wrong := [*_contradictions(made.counts), *_missing(odds, made)]:
        raise _wrong(file, wrong[0])
    return made


def _wrong(file: Path, what: str) -> Mistakes:
    return Mistakes(
        [f"{file}:1: {what}; allowed: what crisscross par writes; remove the file and run it again"]
    )


def _from_data(data: Mapping[str, Any], file: Path) -> CountedOdds:
    if data["format"] != _FORMAT:
        raise ValueError
    folded = {tuple(map(int, bets)): int(deals) for bets, deals in data["folded"]}
    played = {_three(bets): _grid(grid) for bets, grid in data["played"]}
    counts = Counts(tuple(map(_hole, data["holes"])), folded, played)
    hands = {Wager(wager): tuple(map(int, found)) for wager, found in data["hands"].items()}
    return CountedOdds(counts, hands, file, {str(what): float(worth) for what, worth in data["seen"].items()})


def _three(bets: list[int]) -> tuple[int, int, int]:
    across, down, middle = map(int, bets)
    return across, down, middle


def _grid(lines: list[list[int]]) -> Grid:
    return tuple(tuple(map(int, line)) for line in lines)


def _hole(given: list[Any]) -> Hole:
    name, count, across, expectation, worths = given
    worth = {int(bet): Worth(Fraction(mean), Fraction(variance)) for bet, mean, variance in worths}
    return Hole(str(name), int(count), int(across), Fraction(expectation), worth)


def _contradictions(counts: Counts) -> Iterator[str]:
    """Yield the reasons why `counts` cannot be complete counts of all deals."""
    every = [
        *counts.folded.values(),
        *(deals for grid in counts.played.values() for line in grid for deals in line),
    ]
    if counts.deals != DEALS or min(every) < 0:
        yield f"{counts.deals:,} deals, where there are {DEALS:,}"
    if any(len(grid) != len(LINES) or {*map(len, grid)} != {len(LINES)} for grid in counts.played.values()):
        yield f"hands of other than {len(LINES)} classes"
    if sum(hole.count for hole in counts.holes) != comb(52, 2):
        yield f"not the {comb(52, 2):,} holes of a deck"


def _missing(odds: Odds, made: CountedOdds) -> Iterator[str]:
    for wager, _ in odds.side_bets:
        hands = made.hands.get(wager, ())
        if len(hands) != len(LINES) or sum(hands) != comb(52, SIDE_BETS[wager].cards):
            yield f"{wager}: not every hand of its cards"
