"""Functions that return the visible effects of a value of a pack, for `test_every_value.py`.

Such a look plays a table under a given pack and returns the visible results and the acts of the table,
without citations. If it plays several rounds, it yields the results round by round, so that the comparison
can end at the first difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from controller.common.files.yaml_lines import Lines
from controller.game.model.cards import Card
from controller.game.model.events import CircleRead, DeckBrought, FloorDecided, KeyPressed
from controller.game.model.names import CROSS, Key, Method, Phase, Wager
from controller.game.model.rules import RulePack
from controller.game.rulebook import settlement_plan
from controller.rules.packs.checks import check_pack
from controller.settings import config
from tests.audit.opened import HANDS, Seen

HOUR_MS = 3_600_000
Look = Callable[[RulePack], object]


def table(rules: RulePack, method: Method | None = None, **settings: Any) -> Seen:
    return Seen(rules, method or next(iter(rules.deals)), **settings)


def seen(felt: Seen) -> object:
    """Return everything that screen, lamps and journal entries show, except citations."""
    view, state = felt.table.view(), felt.table.state
    hold = view["hold"] and {k: v for k, v in view["hold"].items() if k not in ("citation", "then")}
    prompt = {k: v for k, v in (view["prompt"] or {}).items() if k not in ("citation", "id")}
    notes = [(n.code, n.resolved) for n in state.round.irregularities] if state.round else []
    return view["phase"], prompt, hold, felt.codes(), notes, sorted(felt.table.lamps().items())


def prompt_lines(felt: Seen) -> list[str]:
    """Return the lines of every prompt so far, sorted."""
    return sorted({line for _, _, line in felt.opened})


# ------------------------------------------------------------------ wagers


def laid(rules: RulePack) -> object:
    """Return the lamps and refusals for antes and bonuses of many amounts."""
    found, empty = [], table(rules)
    for wager in (Wager.ANTE_ACROSS, *rules.bonuses):
        for dollars in (1, 2, 3, 5, 6, 9, 10, 11, 50, 99, 100, 101):
            felt = empty.fork()
            amounts = {"ante_across": 5, "ante_down": 5, wager.value: dollars}
            felt.lay(3, **amounts | ({"ante_down": dollars} if wager is Wager.ANTE_ACROSS else {}))
            found.append(sorted(felt.table.lamps().items()))
    return found


def offered(rules: RulePack) -> object:
    return [list(seat["circles"]) for seat in table(rules).table.view()["seats"]]


def bets(rules: RulePack) -> object:
    """Return the bets that are offered and those that are accepted at the Across decision."""
    felt = at_across(rules)
    found = [seen(felt)]
    for cents in range(rules.minimum_ante // 2, rules.minimum_ante * 5, rules.minimum_ante // 2):
        felt.event(CircleRead(3, Wager.ACROSS, (felt.chip(cents),)))
        found.append(seen(felt))
    return found


def six_card(rules: RulePack) -> object:
    felt = table(rules)
    felt.lay(3, ante_across=5, ante_down=5, five_card_bonus=5, six_card_bonus=2)
    felt.close()
    return seen(felt)


def boxes(rules: RulePack) -> object:
    """Return, for each number of boxes from 1 to 6, whether one patron may have the first ones."""
    felt = table(rules)
    groups = [tuple(range(1, last + 1)) for last in range(1, 7)]
    return [felt.refused(FloorDecided("B1", "player", seats=seats)) is None for seats in groups]


# ------------------------------------------------------------------ the deal and the decisions


def at_across(rules: RulePack, method: Method | None = None, **settings: Any) -> Seen:
    felt = table(rules, method, **settings)
    felt.laid(3, 5)
    felt.dealt()
    return felt


def dealt(method: Method) -> Look:
    def look(rules: RulePack) -> object:
        felt = at_across(rules, method)
        return prompt_lines(felt), {place: dealt.number for place, dealt in felt.round.cards.items()}

    return look


def permitted(rules: RulePack) -> object:
    """Return the prompts from the last card to the first decision."""
    return prompt_lines(at_across(rules))


def counted(method: Method) -> Look:
    def look(rules: RulePack) -> object:
        felt = table(rules, method)
        for _ in range(6):
            felt.laid(3)
            felt.dealt()
            felt.played(3)
        return [record["stub"]["counted"] for record in felt.records]

    return look


def shuffled(method: Method) -> Look:
    """Return a look that shows whether a table without a shuffler may change to `method`."""

    def look(rules: RulePack) -> object:
        free = next((m for m, deal in rules.deals.items() if not deal.needs_shuffler), method)
        felt = table(rules, free, shuffler=False)
        return felt.refused(FloorDecided("B1", "method", method=method)) is None, free

    return look


def aged(method: Method) -> Look:
    """Return a look that shows the alerts in each of 25 hours, of which one announces the change of the
    deck."""

    def look(rules: RulePack) -> object:
        felt = table(rules, method)
        found = []
        for _ in range(25):
            felt.stand(HOUR_MS)
            found.append(felt.codes())
        return found

    return look


def folded(rules: RulePack) -> object:
    """Return, in order, the prompts of a round in which two seats fold; one of these seats has every
    bonus."""
    felt = at_across(rules)
    found = []
    for _ in range(60):
        if felt.phase is Phase.CLEARING:
            break
        prompt = felt.prompt
        found.append((prompt["kind"], prompt["seat"], prompt["cards"]))
        if prompt["kind"] == "ask":
            felt.fold()
        elif prompt["kind"] in ("turn", "turn_seat", "turn_bonus", "push"):
            felt.press("confirm")
        elif prompt["kind"] == "collect":
            felt.lay(prompt["seat"], **{prompt["wager"]: 0})
        else:
            felt.settle_one()
    return found


def settled(rules: RulePack) -> Iterator[object]:
    """Yield the lines of a complete round and the order of its settlement, for one hand after another."""
    for cross, cards in HANDS:
        felt = table(rules, decks=2)
        felt.laid(3, 5)
        felt.dealt(cross, cards)
        felt.played()
        yield prompt_lines(felt), felt.records[-1]["settlement_order"]


# ------------------------------------------------------------------ payouts

SAMPLES = (
    "9H AH KH QH 8H JH TH", "2C 9H 8H 7H 3D 6H 5H", "2C 7C 7D 7H 3D 7S KH", "2C 9C 9D KH 3D 9S KD",
    "2C KH 8H 7H 3D 4H 5H", "2C 9H 8C 7H 3D 6H 5S", "2C QH 8C 8H 3D 8D 5S", "2C QH 8C 4H 3D 8D 4S",
    "2C JH 8C 4H 3D JD 5S", "2C TH 8C 4H 3D TD 5S", "2C 5H 8C 4H 3D 5D KS",
)  # fmt: skip
"""Cross and two own cards for each line of a pay table, from the royal flush down, and for a losing hand."""
FIVES = (
    "AH KH QH JH TH", "9H 8H 7H 6H 5H", "7C 7D 7H 7S KH", "9C 9D 9H KH KD", "KH 8H 7H 4H 5H",
    "9H 8C 7H 6H 5S", "QH 8C 8H 8D 5S", "QH 8C 4H 8D 4S", "JH 8C 4H JD 5S", "TH 8C 4H TD 5S",
)  # fmt: skip

SPARE = "2C 3D 6S 9D QC AS TC 4S"


def plans(rules: RulePack) -> object:
    """Return the settlement of a seat that has every wager, for hands and community cards of each kind."""
    wagers = dict.fromkeys(Wager, 1000)
    found = []
    for cards in SAMPLES:
        *cross, one, two = map(Card, cards.split())
        seat = settlement_plan.SeatToSettle(3, "3", (one, two), False, wagers)
        found.append(_plan(rules, cross, None, seat))
    for cards in FIVES:
        five = [Card(card) for card in cards.split()]
        rest = [card for card in map(Card, ["2C", "3D", "2S", "3S", "6C"]) if card not in five]
        found.append(
            _plan(rules, five, None, settlement_plan.SeatToSettle(3, "3", (rest[0], rest[1]), False, wagers))
        )
        seat = settlement_plan.SeatToSettle(3, "3", (five[0], five[1]), True, wagers)
        spare = [card for card in map(Card, SPARE.split()) if card not in five]
        found.append(_plan(rules, spare[:5], (*five[2:], spare[5]), seat))
    return found


def _plan(rules: RulePack, cross: Any, bonus: Any, seat: settlement_plan.SeatToSettle) -> object:
    items = settlement_plan.plan(rules, dict(zip(CROSS, cross, strict=True)), bonus, [seat])
    steps = settlement_plan.steps(items)
    turned = [type(item).__name__ for item in items if item not in steps]
    return turned, [(step.wager, step.verb, step.odds, step.payout) for step in steps]


def limited(rules: RulePack) -> object:
    """Return the settlement plans under payout limits of many heights, and which of these limits the text
    permits."""
    heights = (1, 1500, 300_000, 5_000_000, 5_000_100, 10**9)
    limits = [rules.payout_limit, *(replace(rules.payout_limit, cents=cents) for cents in heights)]
    packs = [replace(rules, payout_limit=limit) for limit in limits]
    return [(plans(pack), contradictions(pack)) for pack in packs]


class _Notes:
    """Stand-in for the lines of a pack's file that records the reported mistakes."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def add(self, _path: object, words: str) -> None:
        self.messages.append(words)

    def add_value(self, _name: str, words: str) -> None:
        self.messages.append(words)


def contradictions(rules: RulePack) -> object:
    """Return the mistakes that loading the pack would report."""
    notes: Any = _Notes()
    check_pack(rules, notes)
    return notes.messages


# ------------------------------------------------------------------ the deck


def opened(rules: RulePack) -> object:
    """Return the steps by which a new deck, a preshuffled one and one that was put away are opened."""
    found = []
    for deck in (
        DeckBrought("GREEN"),
        DeckBrought("GREEN", preshuffled=True),
        DeckBrought("GREEN", same=True),
    ):
        felt = table(rules)
        felt.floor("close")
        felt.press("confirm")
        felt.event(deck)
        while felt.phase is Phase.OPENING:
            found.append((felt.prompt["kind"], felt.prompt["step"]))
            felt.floor("sign") if felt.refused(KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    return found


def decks(rules: RulePack) -> object:
    """Return the mistakes that are reported in a table file with two decks."""
    found = Lines("table.yaml", {"decks": 2})
    config._check_shuffler(found, rules)
    return found.report()


def cut(rules: RulePack) -> object:
    felt = table(rules)
    felt.floor("recut")
    return prompt_lines(felt)
