"""Checks of the wagers in the circles (too small, too large, not equal), shared by lamp, prompt and
handler: limits, how many times the ante a bet may be, and how many boxes one player may play.

A `verify_` function returns None if the wager is allowed, else the Refusal that lamp and prompt show. The
functions must never change the state or name a jurisdiction. A circle without chips is never refused.
Sources: 58 Pa. Code § 674a.7 and .11(b)(d)(f), and their counterparts; config/rules/RULES.md "Wagers".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES, BETS, Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES, TWINS

Wagers = Mapping[Wager, int]
"""Cents by circle; a missing circle is empty."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of a wager. `params`: amounts in cents for the text: `least` and `most`, `allowed` (permitted
    multiples), `options` (permitted amounts next to this one), `should` (amount that would fit), `boxes`
    (boxes that one player may take)."""

    code: str
    citation: str
    params: Mapping[str, Any] = field(default_factory=dict)


def verify_before_close(pack: RulePack, wagers: Wagers) -> dict[Wager, Refusal]:
    """Return, for the wagers of one seat, the refusal of each that is not allowed before the close."""
    verified = {wager: verify_wager(pack, wagers, wager) for wager in wagers}
    return {wager: refusal for wager, refusal in verified.items() if refusal is not None}


def reduced_wagers(pack: RulePack, wagers: Wagers, *, equal: bool) -> dict[Wager, int]:
    """Return the wagers, in cents, that one seat plays if none of these may grow.

    Both antes are reduced to the lower of the two, every wager to its maximum, and a bonus that has to equal
    another one to that; {} if an ante is below its minimum (58 Pa. Code § 674a.7(c) to (e), Md. 7.D).
    `equal`: whether a bonus below the one that it has to equal does not play (House rules, Game and Bonus
    wagers 3).
    """
    ante = min(pack.maximum_ante, *(wagers.get(ante, 0) for ante in ANTES))
    if ante < pack.minimum_ante or not ante:
        return {}
    fits = dict.fromkeys(ANTES, ante)
    for wager in (bonus for bonus in BONUSES if bonus in pack.bonuses):
        twin = TWINS.get(wager) if pack.six_card_bonus_equals_five else None
        amount = min(wagers.get(wager, 0), pack.bonus_maximum)
        if twin is not None:
            amount = min(amount, fits.get(twin, 0))
        unequal = equal and twin is not None and amount != fits.get(twin, 0)
        if amount >= max(1, pack.bonus_minimum) and not unequal:
            fits[wager] = amount
    return fits


def verify_wager(pack: RulePack, wagers: Wagers, wager: Wager) -> Refusal | None:
    """Return why the amount in one circle of a seat is not allowed before "no more bets", or None. `wagers`:
    all amounts of that seat."""
    if not wagers.get(wager):
        return None
    if wager in ANTES:
        return _verify_ante(pack, wagers, wager)
    if wager in BETS:
        return Refusal(Code.BET_OUT_OF_TURN, _ruled(pack, Code.BET_OUT_OF_TURN))
    if wager not in pack.bonuses:
        return Refusal(Code.WRONG_CIRCLE, pack.cite("bonuses"))
    return _verify_bonus(pack, wagers, wager)


def _verify_ante(pack: RulePack, wagers: Wagers, wager: Wager) -> Refusal | None:
    laid = [wagers.get(ante, 0) for ante in ANTES]
    if laid[0] != laid[1]:
        return Refusal(
            Code.UNEQUAL_ANTES, _ruled(pack, Code.UNEQUAL_ANTES), dict(zip(ANTES, laid, strict=True))
        )
    return _verify_range(pack, wagers[wager], "ante")


def _verify_bonus(pack: RulePack, wagers: Wagers, wager: Wager) -> Refusal | None:
    if not all(wagers.get(ante) for ante in ANTES):
        return Refusal(Code.BONUS_WITHOUT_ANTES, _ruled(pack, Code.BONUS_WITHOUT_ANTES))
    twin = TWINS.get(wager)
    should = wagers.get(twin, 0) if twin is not None and pack.six_card_bonus_equals_five else wagers[wager]
    if wagers[wager] != should:
        return Refusal(Code.BONUS_UNEQUAL, _ruled(pack, Code.BONUS_UNEQUAL), {"should": should})
    return _verify_range(pack, wagers[wager], "bonus")


def _verify_range(pack: RulePack, amount: int, kind: str) -> Refusal | None:
    if kind == "ante":
        least, most = pack.minimum_ante, pack.maximum_ante
        limits = ("minimum_ante", "maximum_ante")
    else:
        least, most = pack.bonus_minimum, pack.bonus_maximum
        limits = ("bonus_minimum", "bonus_maximum")
    if least <= amount <= most:
        return None
    broken = limits[0] if amount < least else limits[1]
    return Refusal(Code.BET_OUT_OF_RANGE, pack.cite(broken), {"least": least, "most": most})


def _ruled(pack: RulePack, code: Code) -> str:
    return pack.rulings[code].citation


def allowed_bets(pack: RulePack, ante: int) -> tuple[int, ...]:
    """Return the whole multiples of the ante that a bet may be. If the pack does not require whole
    multiples, every amount between the first and the last is allowed too."""
    least, most = pack.bet_multiples
    return tuple(ante * times for times in range(least, most + 1))


def verify_bet(pack: RulePack, ante: int, wager: Wager, amount: int) -> Refusal | None:
    """Return why an Across, Down or Middle bet is not allowed, or None (58 Pa. Code § 674a.11(b)(d)(f)).
    `ante`: the seat's ante in cents; `amount`: the bet in cents."""
    if not amount:
        return None
    allowed = allowed_bets(pack, ante)
    outside = not allowed[0] <= amount <= allowed[-1]
    if not outside and (amount in allowed or not pack.whole_multiples):
        return None
    params = {
        "least": allowed[0],
        "most": allowed[-1],
        "allowed": allowed,
        "options": _nearest(allowed, amount),
    }
    cited = f"bet_multiples.{wager}" if outside else "whole_multiples"
    return Refusal(Code.BET_OUT_OF_RANGE, pack.cite(cited), params)


def _nearest(allowed: tuple[int, ...], amount: int) -> tuple[int, ...]:
    below = [bet for bet in allowed if bet < amount]
    above = [bet for bet in allowed if bet > amount]
    return (*below[-1:], *above[:1])


def verify_boxes(pack: RulePack, seats: Iterable[int]) -> Refusal | None:
    """Return why one player may not play these boxes, or None: they must be adjacent, and not more than the
    permitted number (58 Pa. Code § 674a.7(g)). If the text sets no number of boxes, the floor decides."""
    boxes = sorted(set(seats))
    most = pack.adjacent_boxes
    if most is None or not boxes or (len(boxes) <= most and boxes[-1] - boxes[0] == len(boxes) - 1):
        return None
    return Refusal("adjacent_boxes", pack.cite("adjacent_boxes"), {"boxes": most})
