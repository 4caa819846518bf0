"""File of the sums so far, from which a later run continues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from tests.trials.evidence.volume.tally import Tally


class Store:
    """File with the sums of all players, for one seed, one length of a sitting and one rule pack. `players`:
    their names in order."""

    def __init__(self, file: Path, seed: int, length: int, rules: str, players: Sequence[str]) -> None:
        self._file = file
        self._origin = f"seed {seed}, sittings of {length} rounds, {rules}: {', '.join(players)}"

    def read(self) -> list[Tally]:
        """Return the players' sums; empty if there is no file. Raises ValueError if the file belongs to
        another trial."""
        if not self._file.exists():
            return []
        with np.load(self._file, allow_pickle=False) as held:
            if str(held["origin"]) != self._origin:
                raise ValueError(f"{self._file} has sums of {held['origin']}: name another file")
            sums = (held["round_sums"], held["end_sums"], held["peaks"])
            counts = zip(held["rounds"].tolist(), held["sittings"].tolist(), *sums, strict=True)
            return [Tally(*each) for each in counts]

    def write(self, found: Sequence[Tally]) -> None:
        """Write the sums in place of those in the file."""
        part = self._file.with_suffix(".part.npz")
        sums = {name.name: np.array([getattr(each, name.name) for each in found]) for name in fields(Tally)}
        np.savez(part, origin=np.array(self._origin), **sums)
        part.replace(self._file)
