"""Check that no pack lets a perfect player win, unless the pack states a reason and the figure.

Every start of a table runs this check, so it is plain Python and reads one small file. This module must never
treat unknown odds as good odds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from controller.common.files.mistakes import Mistakes
from controller.common.files.yaml_lines import Path_, dotted, read_lines
from controller.game.model.names import Wager
from controller.game.model.rules import RulePack
from controller.rules.odds import odds_files
from controller.rules.odds.figures import expected, totals
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import odds_of
from controller.rules.packs.form import ANTES_TOGETHER


def advantages(pack: RulePack, made: CountedOdds) -> dict[str, Fraction]:
    """Return the advantages of a perfect player in percent, without those of 0 or less: for the base game in
    percent of the two antes, for each offered side bet in percent of the wager.
    """
    odds = odds_of(pack)
    won = {ANTES_TOGETHER: totals(odds, made.counts).expectation / 2}
    for wager, table in odds.side_bets:
        if wager in pack.bonuses:
            won[str(wager)] = expected(table, made.hands[Wager(wager)])
    return {name: 100 * share for name, share in won.items() if share > 0}


def refusals(file: Path, pack: RulePack, made: CountedOdds) -> list[str]:
    """Return one line, ``file:line: text``, for each advantage of the player that the pack does not state
    correctly.
    """
    lines = read_lines(file)
    for path, words in _wrong(pack, advantages(pack, made)):
        if path in lines.lines and path:
            lines.add(path, words)
        else:
            at = ("rules",) if "rules" in (lines.data or {}) else ("pays",)
            lines.add(at, f"{dotted(path)}: {words}" if path else words)
    return lines.report()


def _wrong(pack: RulePack, won: dict[str, Fraction]) -> Iterator[tuple[Path_, str]]:
    stated = pack.player_advantage.percent if pack.player_advantage else {}
    for name, percent in won.items():
        figure = f"{float(percent):.2f}"
        of = "the two antes" if name == ANTES_TOGETHER else f"each {name.replace('_', ' ')}"
        if name not in stated:
            words = (
                f"a perfect player would win {figure} % of {of}; allowed: player_advantage with a reason and "
            )
            yield (), f"{words}percent: {{{name}: {figure}}}, or odds that leave the house its edge"
        elif f"{stated[name]:.2f}" != figure:
            yield (
                ("player_advantage", "percent", name),
                f"allowed: {figure}, which a perfect player would win",
            )
    for name in stated:
        if name not in won:
            words = "allowed: nothing, since a perfect player does not win there"
            yield ("player_advantage", "percent", name), words


def refused_start(file: Path, pack: RulePack, pack_folder: Path, *, needed: bool) -> list[str]:
    """Return the reasons why the table of `file` may not start, or [] if it may. `needed`: whether odds that
    cannot be computed here also prevent the start.
    """
    try:
        made = odds_files.find_odds(odds_of(pack), (file.absolute().parent, pack_folder))
    except Mistakes as mistakes:
        return list(mistakes.lines)
    if made is not None:
        return refusals(file, pack, made)
    if not needed:
        return []
    lines = read_lines(file)
    name = odds_files.file_name(odds_of(pack))
    how = f"{name} beside this file, which crisscross par {file.name} writes on a machine with NumPy"
    lines.add(("rules",), f"the odds of these rules are not known; allowed: {how}")
    return lines.report()
