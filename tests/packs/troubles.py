"""Functions that cause each irregularity under a pack and return its outcome, for `test_every_value.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.game.model import events
from controller.game.model.evolve import evolve
from controller.game.model.names import SEATS, Circle, Method, Phase, Wager
from controller.game.model.rules import RulePack
from controller.game.phases.dealing import STALL_MS
from controller.game.phases.shoe import LINK_GRACE_MS
from tests.audit.opened import Seen
from tests.packs.looks import Look, at_across, contradictions, seen, table


def _stub(short: int) -> Callable[[Seen], None]:
    def play(felt: Seen) -> None:
        right = 52 - len(felt.round.cards)
        felt.report("stub_count", number=right - short)
        if short in (1, 5):
            felt.report("wrong_count", seat=3, number=3)

    return play


def _cross_misdealt(felt: Seen) -> None:
    felt.report("stub_count", number=52 - len(felt.round.cards) - 1)
    felt.report("wrong_count", place="cross", number=6)


def _unbalanced(felt: Seen) -> None:
    """Put into a circle's ledger a dollar that comes from no account. No event can do this, so the state is
    changed."""
    state, circle = felt.table.state, Circle(3, Wager.ANTE_ACROSS)
    ledger = felt.round.ledger
    row = ledger.row(circle)
    planted = ledger.with_row(circle, evolve(row, circle=row.circle + 100))
    felt.table.state = evolve(state, round=evolve(felt.round, ledger=planted))
    felt.event(events.CircleRead(*circle, state.holding(*circle).chips))


def _stopped(felt: Seen) -> None:
    felt.floor("outcome", outcome="remove_deck")


def _face_up(times: int) -> Callable[[Seen], None]:
    def play(felt: Seen) -> None:
        for _ in range(times):
            felt.card(None, "face_up")

    return play


def _differs(felt: Seen) -> None:
    for _ in range(3):
        for seat in (3, 5):
            felt.bet(felt.pack.minimum_ante // 100) if felt.prompt["seat"] == seat else None
        felt.press("confirm")
    felt.report("card_differs", place="middle", face=felt.unused(1)[0])


def _lost(felt: Seen) -> None:
    felt.card("2C")
    felt.event(events.ShoeLinkLost())
    felt.stand(max(LINK_GRACE_MS, STALL_MS))


def _moved(felt: Seen) -> None:
    felt.card("2C")
    felt.event(events.DeckReady(52, "RED"))


def _miscounted(felt: Seen) -> None:
    felt.does_shuffle = False
    felt.floor("shuffle")
    felt.event(events.ShuffleFinished(51, "RED"))
    felt.event(events.DeckReady(51, "RED"))


def _twice(felt: Seen) -> None:
    felt.card("2C")
    felt.card("2C")


def _early(felt: Seen) -> None:
    felt.antes(3, ante=5)
    felt.card("2C")


def _otherwise(felt: Seen) -> None:
    felt.event(events.SettingsChanged({"whole": "sha256:b"}, ("rules",), signed=True))


def _shortened(felt: Seen) -> None:
    felt.event(events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager), rows_gone=3))


def _told(what: str, **more: Any) -> Callable[[Seen], None]:
    return lambda felt: felt.report(what, **more)


OPEN: Mapping[str, Callable[[Seen], None]] = {
    "deck_count": _miscounted,
    "card_before_close": _early,
    "settings_changed": _otherwise,
    "journal_shortened": _shortened,
}
"""Irregularities that occur before the close, each with the function that causes it."""
DEALING: Mapping[str, Callable[[Seen], None]] = {
    "face_up_one": _face_up(1),
    "face_up_more": _face_up(2),
    "drawn_in_error": _told("drawn_in_error"),
    "face_seen": _told("face_seen"),
    "shoe_fault": lambda felt: felt.event(events.ShoeFaulted("JAM")),
    "manual_shoe_fault": lambda felt: felt.event(events.ShoeFaulted("JAM")),
    "shoe_lost": _lost,
    "cards_unseen": _moved,
    "duplicate_card": _twice,
    "impossible_card": lambda felt: felt.card(None, "impossible"),
}
DECIDING: Mapping[str, Callable[[Seen], None]] = {
    "hole_exposed": _told("hole_exposed", seat=3),
    "bonus_exposed": _told("bonus_exposed", number=1),
    "wrong_count": _told("wrong_count", seat=3, number=3),
    "community_exposed": _told("community_exposed", place="middle"),
    "shuffler_fault": _told("shuffler_fault"),
    "stub_short": _stub(3),
    "stub_misdealt": _stub(1),
    "stub_misdealt_cross": _cross_misdealt,
    "stub_both": _stub(5),
    "player_left": _told("player_left", seat=3),
    "players_conferred": _told("players_conferred", seat=3),
    "cards_touched": _told("cards_touched", seat=3),
    "out_of_view": _told("out_of_view", seat=3),
    "hand_left": _told("hand_left", seat=3),
    "floor_stopped": _stopped,
    "unbalanced": _unbalanced,
    "card_differs": _differs,
}


def troubled(code: str) -> Look:
    """Return a look that plays the irregularity `code` under a pack. The look returns the visible outcome and
    the contradictions in the pack."""

    def look(rules: RulePack) -> object:
        method = Method.MANUAL_SHOE if code == "manual_shoe_fault" else None
        felt = table(rules, method)
        if code in OPEN:
            OPEN[code](felt)
        else:
            felt.laid(3, 5)
            if code in DECIDING:
                felt.dealt()
            (DEALING.get(code) or DECIDING[code])(felt)
        return seen(felt), contradictions(rules)

    return look


def backed_up(rules: RulePack) -> object:
    felt = at_across(rules)
    found = []
    for _ in range(3):
        if felt.phase is not Phase.HELD:
            felt.report("face_seen")
        found.append(seen(felt))
    return found


def forfeited(rules: RulePack) -> object:
    return [
        troubled(code)(rules)
        for code in ("player_left", "players_conferred", "cards_touched", "out_of_view", "hand_left")
    ]
