"""Tables of the first decisions' values for a pack's odds, one for each place of the known card.

Tables of the packs that come with the program are part of it. Others are computed once and stored in the
user's cache, in a file named after the digest of the odds. A damaged file is replaced; a cache that cannot be
written is ignored.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from controller.evidence.known_middle import HOLE_KINDS, FirstValues, first_values
from controller.evidence.known_pair_card import first_values_across, first_values_down
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.odds_files import shipped_folder, user_cache
from controller.rules.odds.pack import Odds
from controller.rules.odds.solve import ReportProgress

SHAPE = (len(HOLE_KINDS), DECK_SIZE, 2)
Table = NDArray[np.float32]
COUNTS: Final = {"": first_values, "_across": first_values_across, "_down": first_values_down}
"""Function that computes one row of a table, by the suffix in the table's file name. The suffix says which
card the player knows: none for the middle card, else a card of the Across or of the Down pair."""


@dataclass(frozen=True, slots=True)
class FirstTables:
    """Values of the Across decision: to a player who knows the middle card, one card of the Across pair, or
    one card of the Down pair."""

    middle: FirstValues
    across: FirstValues
    down: FirstValues


def first_tables(odds: Odds, progress: ReportProgress = lambda done, of: None) -> FirstTables:
    """Return the three tables from their files, or compute them in about two minutes on two cores."""
    return FirstTables(*(first_table(odds, progress, which) for which in COUNTS))


def first_table(odds: Odds, progress: ReportProgress = lambda done, of: None, which: str = "") -> FirstValues:
    """Return a table from its file, or compute it, which takes some 20 to 50 s on two cores.

    `progress` is called with the number of kinds of hole done and the number of all. `which`: a key of
    `COUNTS`.
    """
    name = file_name(odds, which)
    files = [folder / name for folder in (shipped_folder(), user_cache()) if folder is not None]
    table = next((found for found in map(_read, files) if found is not None), None)
    if table is None:
        table = count(odds, progress, which)
        _write(files[-1], table)
    return FirstValues(table)


def file_name(odds: Odds, which: str = "") -> str:
    """Return the name of the file: ``first``, the place of the known card, and 16 digits of the digest."""
    return f"first{which}-{odds.digest.removeprefix('sha256:')[:16]}.npy"


def count(odds: Odds, progress: ReportProgress, which: str = "") -> Table:
    """Compute the table of the suffix `which`, a row for each kind of hole, on all cores."""
    found = np.zeros(SHAPE, np.float32)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        rows = threads.map(lambda kind: COUNTS[which](odds, kind), range(len(found)))
        for done, row in enumerate(rows, 1):
            found[done - 1] = row
            progress(done, len(found))
    return found


def _read(file: Path) -> Table | None:
    """Return the stored table, or None if the file is missing or damaged."""
    try:
        table = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return table if table.shape == SHAPE and table.dtype == np.float32 and np.isfinite(table).all() else None


def _write(file: Path, table: Table) -> None:
    part = file.with_suffix(".part.npy")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(part, table)
        part.replace(file)
