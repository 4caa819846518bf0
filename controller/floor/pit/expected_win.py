"""The house's expected win (theoretical win, hold) from the wagers of a round, and its variance, computed
in two ways; both are stored.

`laid:` is the exact expectation when the last wager was laid, independent of the skill of the players
(`expected_when_laid` of controller/rules/odds/expected.py). `par:` is the house edge of `crisscross par` on
the amounts laid. It assumes the best play. Worse players lose more, so a win above the band around it is not
a fault.

The seats of a round share the cross, so their luck is correlated: `SEAT_CORRELATION`. A round whose
expectation cannot be computed is counted by its reason and never estimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, cast

from controller.common.files.mistakes import Mistakes
from controller.game.model.names import Wager
from controller.rules.odds import odds_files
from controller.rules.odds.expected import NotComputable, PackFigures, PublicRound, expected_when_laid
from controller.rules.odds.figures import side_bet, totals
from controller.rules.odds.pack import odds_of
from controller.rules.odds.subject import Subject, shipped, subject_of
from controller.rules.packs.loader import OfTable, pack_files

Way: TypeAlias = Literal["laid", "par"]
WAYS: tuple[Way, ...] = ("laid", "par")
ROUNDS, WIN, EXPECTED, VARIANCE, OUT = ":rounds", ":win", ":expected", ":variance", ":out:"
"""Suffixes of the names under which a round's sums are stored: rounds, win, expectation, variance, and rounds
left out. The way of computing them comes before the suffix (`laid:win`), and the reason after `OUT`."""
REASONS = ("rules", "forfeited", "cards", "wagers", "amounts")
"""Reasons for leaving out a round.

rules: odds not known here; forfeited: wagers that the floor took; cards: a card that was not read; wagers:
wagers that no round has; amounts: too large to be added up.
"""
MILLI = 1000
"""Thousandths of a cent in a cent: the unit of stored expectations, so that they can be summed. Variances are
in square cents.
"""
MAX_SUM = 2**53
"""Maximum size of a round's figures, so that sums over many rounds fit in 64 bits."""
SEAT_CORRELATION = {Wager.ANTE_ACROSS.value: 0.07}
"""Correlation of the luck of two seats, measured with the kernel for volume, six seats at the best play:
0.072 and 0.069 in 400,000 rounds each (Pennsylvania), 0.071 in 200,000 (Maryland). For a side bet it is
taken as 1: most of its cards are shared."""
BAND = 1.96
"""Half width of the band in standard deviations: 95 % of all periods are within it by luck alone."""
ENOUGH = 50
"""Minimum number of rounds for a band and a z-value, the same as on a table's own page of figures."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Result of one cent laid: the share of it that the house wins on average, and the variance."""

    edge: float
    variance: float


@dataclass(frozen=True)
class PackOdds:
    """Odds of one rule pack. `figures`: for the exact way. `units`: average result by wager; that of
    `ante_across` includes all wagers of a round except side bets."""

    figures: PackFigures
    units: Mapping[str, Unit]


Known: TypeAlias = Mapping[str, PackOdds]
"""Odds of each rule pack, by the digest of the pack."""


def load_odds(names: Iterable[str], of_table: OfTable) -> Known:
    """Return the odds of the packs of this program and of others, named by key, pack file or table file.

    `of_table`: reads the rules of a table file. Raises Mistakes, also if the odds of a named pack are in no
    file.
    """
    found = dict(shipped_odds())
    for subject in (subject_of(name, of_table) for name in names):
        odds = _odds(subject)
        if odds is None:
            raise Mistakes([f"{subject.name}:1: its odds are in no file; type crisscross par {subject.name}"])
        found[subject.pack.digest] = odds
    return found


@cache
def shipped_odds() -> Known:
    """Return the odds of each pack that comes with the program."""
    subjects = map(shipped, pack_files())
    return {each.pack.digest: odds for each in subjects if (odds := _odds(each)) is not None}


def _odds(subject: Subject) -> PackOdds | None:
    odds = odds_of(subject.pack)
    counted = odds_files.find_odds(odds, subject.folders)
    if counted is None:
        return None
    whole = totals(odds, counted.counts)
    units = {Wager.ANTE_ACROSS.value: Unit(-float(whole.expectation), float(whole.variance))}
    for wager, table in odds.side_bets:
        bet = side_bet(table, counted.hands[wager])
        units[wager.value] = Unit(bet["house_edge"], bet["standard_deviation"] ** 2)
    return PackOdds(PackFigures(odds, counted), units)


# ------------------------------------------------------------------ of one round


def expected(record: Mapping[str, Any], win: int, packs: Known) -> Counter[str]:
    """Return the sums that one round adds, in both ways; none for a void round. A way that cannot be computed
    adds only the reason.

    `win`: what the house won at the settlement, in cents. Corrections are left out, since they undo an error
    and are not luck.
    """
    if record["outcome"] == "void":
        return Counter()
    odds = packs.get(record["rules_digest"])
    found: Counter[str] = Counter()
    for way, of in (("laid", _by_laid), ("par", _by_par)):
        try:
            mean, variance = _bounded(*of(odds, record))
        except _LeftOut as error:
            found[f"{way}{OUT}{error}"] = 1
            continue
        for what, amount in ((ROUNDS, 1), (WIN, win), (EXPECTED, mean), (VARIANCE, variance)):
            found[f"{way}{what}"] = amount
    return found


class _LeftOut(Exception):
    """Raised for a round that gets no expectation. Its text is one of `REASONS`."""


def _bounded(mean: float, variance: float) -> tuple[int, int]:
    """Return the mean in thousandths of a cent and the variance in square cents, rounded to whole numbers.
    Raises _LeftOut if a number exceeds MAX_SUM."""
    if abs(mean) * MILLI > MAX_SUM or abs(variance) > MAX_SUM:
        raise _LeftOut("amounts")
    return round(mean * MILLI), round(variance)


def _by_laid(odds: PackOdds | None, record: Mapping[str, Any]) -> tuple[float, float]:
    if odds is None:
        raise _LeftOut("rules")
    try:
        found = expected_when_laid(odds.figures, cast("PublicRound", record))
    except NotComputable as error:
        raise _LeftOut(error.why) from None
    except KeyError:  # no deal leaves such a card or pair: the cards of the record contradict each other
        raise _LeftOut("cards") from None
    return found.win, found.variance


def _by_par(odds: PackOdds | None, record: Mapping[str, Any]) -> tuple[float, float]:
    if odds is None:
        raise _LeftOut("rules")
    if any(seat["forfeited"] for seat in record["seats"]):
        raise _LeftOut("forfeited")
    mean = variance = 0.0
    for name, unit in odds.units.items():
        laid = [seat["wagers"][name] for seat in record["seats"] if name in seat["wagers"]]
        amounts = [wager["amount"] for wager in laid if wager["result"] != "returned"]
        mean += unit.edge * sum(amounts)
        shared = SEAT_CORRELATION.get(name, 1.0)
        squares = sum(amount**2 for amount in amounts)
        variance += unit.variance * ((1 - shared) * squares + shared * sum(amounts) ** 2)
    return mean, variance


# ------------------------------------------------------------------ for a page


def against_expectation(sums: Mapping[str, int], way: Way) -> dict[str, Any] | None:
    """Compare the win of several rounds with its expectation. Returns the number of counted rounds, their
    win, the expectation, the band and the z-value; None if no round has ended.

    Below `ENOUGH` rounds there are no band and no z-value. `outside`: whether the win is unusual and has to
    be examined. A win above the expectation of the best play is not, because worse players lose more.
    """
    rounds, variance = sums.get(f"{way}{ROUNDS}", 0), sums.get(f"{way}{VARIANCE}", 0)
    left_out = {why: n for why in REASONS if (n := sums.get(f"{way}{OUT}{why}", 0))}
    if not rounds and not left_out:
        return None
    win, mean = sums.get(f"{way}{WIN}", 0), sums.get(f"{way}{EXPECTED}", 0) / MILLI
    found = {
        "rounds": rounds, "left_out": left_out, "win": win, "expected": round(mean) if rounds else None,
        "low": None, "high": None, "z": None, "outside": False,
    }  # fmt: skip
    if rounds < ENOUGH or variance <= 0:
        return found
    deviation: float = variance**0.5
    low, high = round(mean - BAND * deviation), round(mean + BAND * deviation)
    z = (win - mean) / deviation
    outside = z < -BAND or (z > BAND and way == "laid")
    return found | {"low": low, "high": high, "z": z, "outside": outside}
