"""Mistakes of a rule pack: checks that its values fit together and comply with the pack's own text.

Each mistake that is found names the allowed values of its rule. The choices that a text leaves are in the
rule pack; no check names a jurisdiction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from controller.common.files.money import dollars
from controller.game.model.irregularities import Code
from controller.game.model.names import ANTES, BETS, BONUS_PLACES, Wager
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES, COMMUNITY_BETS, SIDE_BETS, TWINS
from controller.game.rulebook.max_win import most_one_patron_could_win
from controller.rules.packs.overrides import PackLines


def check_pack(pack: RulePack, lines: PackLines) -> None:
    """Add every contradiction in `pack` to the mistakes of its file."""
    for key, words in (
        *_limits(pack), *_bonuses(pack), *_deals(pack), *_settlement(pack), *_forfeits(pack),
    ):  # fmt: skip
        lines.add_value(key, words)
    for wager in _offered(pack):
        if not any(f"results.{wager}{end}" in pack.citations for end in ("", ".win")):
            lines.add(("results",), f"{wager} is missing; allowed: its citations")
    for path, words in _bonus_cards(pack):
        lines.add(path, words)
    if _payout_limit(pack):
        lines.add_value("payout_limit", _payout_limit(pack))


def _offered(pack: RulePack) -> tuple[Wager, ...]:
    return (*ANTES, *BETS, *pack.bonuses)


def _limits(pack: RulePack) -> Iterator[tuple[str, str]]:
    if pack.minimum_ante < 1:
        yield "minimum_ante", "allowed: more than $0"
    if pack.minimum_ante > pack.maximum_ante:
        yield "minimum_ante", f"allowed: not above the maximum ante, {dollars(pack.maximum_ante)}"
    if pack.bonus_minimum < 1:
        yield "bonus_minimum", "allowed: more than $0"
    if pack.bonus_minimum > pack.bonus_maximum:
        yield "bonus_minimum", f"allowed: not above the bonus maximum, {dollars(pack.bonus_maximum)}"


def _bonuses(pack: RulePack) -> Iterator[tuple[str, str]]:
    for wager in pack.bonuses:
        twin = TWINS.get(wager)
        if twin and twin not in pack.bonuses and pack.six_card_bonus_equals_five:
            yield "bonuses", f"allowed: {wager} only beside {twin}, which it must equal"
        if wager not in pack.side_bets:
            yield f"{wager}_pays", f"allowed: odds for each hand, since {wager} is offered"
        if SIDE_BETS[wager].own and wager not in pack.folded_turned_for:
            yield "folded_turned_for", f"allowed: {wager} in it, which a folded hand decides"


def _bonus_cards(pack: RulePack) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the mistakes of a pack that deals bonus cards."""
    for code in Code:
        if pack.lays_bonus_cards and code.kind.bonus_only and code not in pack.rulings:
            yield ("rulings",), f"{code}: missing; it must be given where bonus cards are dealt"
    turned = any(walk.before == "bonus_cards" for walk in pack.settlement)
    if turned and "duties.turn_bonus" not in pack.citations:
        yield ("duties",), "turn_bonus: missing; it must be given where bonus cards are turned"


def _deals(pack: RulePack) -> Iterator[tuple[str, str]]:
    if not pack.deals:
        yield "bonuses", "allowed: at least one way of dealing under deals"
    for method, deal in pack.deals.items():
        laid = any(step == f"card {BONUS_PLACES[0]}" for step in deal.steps)
        for wager in (wager for wager in pack.bonuses if SIDE_BETS[wager].bonus_cards and not laid):
            yield "bonuses", f"allowed: {wager} only where {method} deals the bonus cards"


def _settlement(pack: RulePack) -> Iterator[tuple[str, str]]:
    """Yield a mistake unless each wager is taken, pushed and paid exactly once, and its cards are turned by
    then."""
    times: Counter[tuple[str, Wager]] = Counter()
    for walk in pack.settlement:
        for verbs, wagers in walk.groups:
            times.update((verb, wager) for verb in verbs for wager in wagers)
            if walk.turn != "seat" and set(wagers) - COMMUNITY_BETS:
                yield "settlement", "allowed: turn: seat where the seat's cards decide a wager"
    for wager in _offered(pack):
        for verb in ("take", "push", "pay"):
            if times[verb, wager] != 1:
                yield "settlement", f"{wager}: {verb} {times[verb, wager]} times; allowed: once"


def _forfeits(pack: RulePack) -> Iterator[tuple[str, str]]:
    for code in pack.forfeits:
        if pack.rulings[code].outcome != "floor":
            yield "forfeits", f"{code}: allowed: codes whose ruling is floor"


def _payout_limit(pack: RulePack) -> str:
    """Return the mistake in the payout limit, or "" if there is none."""
    limit = pack.payout_limit
    cited = f"({pack.cite('payout_limit')})"
    if limit.cents == 0:
        return f"allowed: more than $0 {cited}"
    if limit.kind == "fixed":
        wrong = limit.cents != limit.base
        return f"allowed: {dollars(limit.base)} {cited}" if wrong else ""
    if limit.cents is None and limit.kind == "floor":
        return ""
    bonuses = BONUSES if limit.bonus_included else ()
    bound = max(limit.base, most_one_patron_could_win(pack, bonuses))
    if limit.cents is None:
        return f"allowed: {dollars(bound)} or less {cited}"
    if limit.kind == "floor" and limit.cents < bound:
        return f"allowed: {dollars(bound)} or more, or null {cited}"
    if limit.kind == "cap" and limit.cents > bound:
        return f"allowed: {dollars(bound)} or less {cited}"
    return ""
