"""Rule pack that a question about odds refers to: one that comes with the program, a house's own file, or a
table's pack.

This module only reads. It must never change a pack or a table file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from controller.common.extras import how_to_install
from controller.common.files.mistakes import Mistakes
from controller.common.files.read_errors import read_error
from controller.common.files.yaml_lines import read_lines
from controller.game.model.rules import RulePack
from controller.rules.odds import odds_files
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.packs.loader import OfTable, find_pack, load_pack, pack_files

SEEN = ("across_left", "middle", "across")
"""Places of the cross whose card a cheat may see too early. The page of a pack shows the value of seeing
each.
"""


class NoNumPy(Exception):
    """Raised if the odds are in no file and cannot be counted because NumPy is missing."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A rule pack with the overrides of its table. `folders`: folders that are searched for files of odds.
    `own`: folder of the house's own file, or None for a shipped pack.
    """

    name: str
    pack: RulePack
    folders: tuple[Path, ...] = ()
    own: Path | None = None

    @property
    def odds(self) -> Odds:
        return odds_of(self.pack)


def shipped(key: str) -> Subject:
    """Return the shipped pack `key` as a subject."""
    return Subject(key, load_pack(find_pack(key)))


def subject_of(name: str, of_table: OfTable) -> Subject:
    """Return the subject for the key of a pack, the file of one, or a table file. `of_table` returns the
    rules of a table file. Raises Mistakes if there is no such pack or file, or it is not valid."""
    if name in pack_files():
        return shipped(name)
    file = Path(name)
    if not file.exists():
        find_pack(name)
    if (why := read_error(file)) is not None:
        raise Mistakes([f"{file}:1: {why}; allowed: a rule pack's key, its YAML, or a table's"])
    folder = file.absolute().parent
    given = read_lines(file).data
    if not isinstance(given, Mapping) or "rules" not in given:
        return Subject(name, load_pack(file), (folder,), folder)
    return Subject(name, of_table(file), (folder, _pack_folder(folder, given["rules"])), folder)


def _pack_folder(folder: Path, rules: object) -> Path:
    """Return the folder of the pack named in the table file's `rules`."""
    return find_pack(str(rules), [folder]).absolute().parent


def load_or_count(
    subject: Subject, report: Callable[[int, int], None] = lambda done, of: None
) -> CountedOdds:
    """Return the odds from a file, or count them, which takes 30 s on two cores. Raises NoNumPy if they
    cannot be counted, Mistakes if a file is not valid.
    """
    return odds_files.find_odds(subject.odds, subject.folders) or count(subject.odds, report)


def count(odds: Odds, report: Callable[[int, int], None] = lambda done, of: None) -> CountedOdds:
    """Count every deal. Raises NoNumPy if NumPy is missing."""
    # each process counts its own kind of hole; multithreaded matrix products would compete for the processors
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from controller.rules.odds.solve import solve
    except ImportError as error:
        if error.name != "numpy":
            raise
        raise NoNumPy(f"the odds have to be counted, which needs NumPy: {how_to_install('odds')}") from error
    from controller.rules.odds.side_bets import hands_of

    return CountedOdds(solve(odds, report), hands_of(odds))


def with_seen(odds: Odds, made: CountedOdds, report: Callable[[str, int, int], None]) -> CountedOdds:
    """Return the odds with the value of looking at each place of `SEEN` too early. If no file has these
    values, they are computed in about a minute. Raises NoNumPy if NumPy is missing.
    """
    if set(SEEN) <= made.seen.keys():
        return made
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from controller.rules.odds.knowledge_value import value_with_knowledge
    except ImportError as error:
        if error.name != "numpy":
            raise
        raise NoNumPy(
            f"what a seen card is worth has to be counted, which needs NumPy: {how_to_install('odds')}"
        ) from error
    from controller.rules.odds.player_knowledge import parse_knowledge

    found = {
        what: value_with_knowledge(odds, parse_knowledge(what), partial(report, what))
        for what in SEEN
        if what not in made.seen
    }
    return replace(made, seen={**made.seen, **found}, file=None)


def keep_for_user(odds: Odds, made: CountedOdds) -> None:
    """Write the counts to the user's cache, so that the next check need not count. A failure is ignored."""
    folder = odds_files.user_cache()
    if made.file is None and folder is not None:
        with suppress(OSError):
            odds_files.write_odds(folder, odds, made)


def keep(subject: Subject, made: CountedOdds, folder: Path | None = None) -> Path | None:
    """Write the counts and return their folder: `folder`, else that of the named file, else the cache.
    Returns None if they are stored already or the user has no home. Raises OSError if they cannot be
    written."""
    to = folder or subject.own or odds_files.user_cache()
    there = made.file.parent if made.file else None
    if to is None or (
        there is not None and folder is None and there in (odds_files.shipped_folder(), to.absolute())
    ):
        return None
    return odds_files.write_odds(to, subject.odds, made)
