"""The catalogue of everything that may go wrong: one line a code.

It says how urgent a thing is, which lamp language it speaks and who clears it. What the text makes
of it (void, set aside, floor) is the rule pack's `rulings`, with the section; the words are the
display's. Grades after EEMUA 191: a notice may wait, an alert wants an act now, a hold stops play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from controller.game.model.names import Method
from controller.game.model.rules import Outcome, RulePack, Ruling

Grade = Literal["notice", "alert", "hold"]
Cleared = Literal["itself", "dealer", "floor", "mended"]


@dataclass(frozen=True, slots=True)
class Kind:
    """`cleared`: by itself when over, by the dealer, by a floorperson, or when it is mended.
    `urgent`: it wants a hand on the chips now, before whatever the prompt asks for."""

    grade: Grade
    cleared: Cleared
    urgent: bool = False


CATALOGUE: dict[str, Kind] = {
    # cards
    "card_face_up": Kind("notice", "itself"),
    "drawn_in_error": Kind("notice", "itself"),
    "wrong_count": Kind("hold", "floor"),
    "community_exposed": Kind("hold", "floor"),
    "hole_exposed": Kind("hold", "floor"),
    "bonus_exposed": Kind("hold", "floor"),
    "face_seen": Kind("hold", "floor"),
    "card_differs": Kind("hold", "floor"),
    "duplicate_card": Kind("hold", "floor"),
    "card_not_read": Kind("notice", "dealer"),
    "card_before_close": Kind("hold", "floor"),
    # the deck and its devices
    "shuffler_fault": Kind("hold", "floor"),
    "shoe_fault": Kind("hold", "floor"),
    "shoe_lost": Kind("alert", "itself"),
    "device_out_of_order": Kind("notice", "floor"),
    "deck_count": Kind("hold", "floor"),
    "deck_change_due": Kind("alert", "dealer"),
    "wrong_deck": Kind("alert", "dealer", urgent=True),
    "stub_count_due": Kind("notice", "dealer"),
    # wagers
    "late_bet": Kind("alert", "mended", urgent=True),
    "bet_changed": Kind("alert", "mended", urgent=True),
    "bet_out_of_turn": Kind("alert", "mended", urgent=True),
    "unequal_antes": Kind("alert", "mended"),
    "bet_out_of_range": Kind("alert", "mended"),
    "bonus_without_antes": Kind("alert", "mended"),
    "bonus_unequal": Kind("alert", "mended"),
    # settlement
    "losing_bet_left": Kind("alert", "mended", urgent=True),
    "underpaid": Kind("alert", "mended", urgent=True),
    "overpaid": Kind("alert", "mended", urgent=True),
    "push_disturbed": Kind("alert", "mended", urgent=True),
    "wrong_circle": Kind("alert", "mended", urgent=True),
    "settled_out_of_order": Kind("alert", "mended", urgent=True),
    "not_returned": Kind("notice", "floor"),
    "unbalanced": Kind("hold", "floor"),
    # players
    "player_left": Kind("hold", "floor"),
    "players_conferred": Kind("hold", "floor"),
    "cards_touched": Kind("hold", "floor"),
    "out_of_view": Kind("hold", "floor"),
    "hand_left": Kind("hold", "floor"),
    # the floor's own
    "floor_stopped": Kind("hold", "floor"),
    # chips and readers
    "unknown_chip": Kind("alert", "mended", urgent=True),
    "duplicate_chip": Kind("alert", "mended", urgent=True),
    "chip_withdrawn": Kind("alert", "mended", urgent=True),
    "reading_unstable": Kind("alert", "mended"),
    "reader_lost": Kind("alert", "mended"),
    # the controller
    "journal_fault": Kind("alert", "itself", urgent=True),
    "clock_fault": Kind("alert", "itself"),
    "storage_low": Kind("notice", "itself"),
}

MONEY = (
    "losing_bet_left", "underpaid", "overpaid", "push_disturbed", "wrong_circle", "bet_changed", "late_bet",
    "bet_out_of_turn", "settled_out_of_order",
)  # fmt: skip
"""Differences of money: each is mended or signed before a round may end. A chip or a reader is not signed."""

UNREAD = ("reader_lost", "reading_unstable")
"""Nothing can be said of the amount in such a circle."""

FLOOR_CHOICES = (Outcome.GO_ON.value, Outcome.VOID.value, Outcome.REMOVE_DECK.value)
"""What a floorperson may choose where no text decides (config/rules/RULES.md, Irregularities)."""

FORFEIT: Final = "forfeit"


def permitted(ruling: Ruling) -> tuple[Outcome | None, tuple[str, ...]]:
    """(proposed, outcomes offered). Where the text decides, its outcome alone is offered."""
    if ruling.outcome is Outcome.FLOOR:
        return None, FLOOR_CHOICES
    if ruling.outcome in (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.RESHUFFLE):
        return ruling.outcome, (ruling.outcome.value,)
    return Outcome.GO_ON, FLOOR_CHOICES


def citation_for(pack: RulePack, code: str, method: Method | None = None, *, grew: bool = False) -> str:
    """The section that a code rests on, of the way of dealing that is used; house procedure where no text
    has it. A wager that `grew` after the close is one that was made then (58 Pa. Code § 674a.7(c))."""
    ruling = pack.rulings.get("bet_raised" if grew and code == "bet_changed" else code)
    if ruling is None:
        return "house procedure"
    return ruling.cited(method) if method else ruling.citation


UNREAD = ("reader_lost", "reading_unstable")
"""A circle that cannot be read."""
