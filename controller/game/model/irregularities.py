"""Catalogue of all irregularities: the list of everything that can go wrong, and of all reports that
dealers make. One entry per code, with all its facts.

There is no other list of codes; other modules select from these entries. The rule pack's `rulings` give the
outcome of a code and its section; the display's texts give its wording. Grades after EEMUA 191: a notice may
wait, an alert requires an act now, a hold stops play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal, Self, TypeAlias

from controller.game.model.names import Phase

Grade = Literal["notice", "alert", "hold"]
Cleared = Literal["itself", "dealer", "floor", "mended"]
SignatureEffect = Literal["ends", "house", "stays", "stands"]
"""Effect of a floorperson's signature. On a difference of money, `ends`: the wager ends with the chips of it
that the tray has; `house`: unexplained chips belong to the house unless the signature names their holder;
`stays`: no further effect. `stands`: chips that failed their proof count as they lie, and no money moves.
"""

ACCUSE_MS = 400
LOST_MS = 2_000
"""Time in ms for which a circle must be unread before an alert. drivers/chips/scanner.py retries a reader
that was silent for 0.8 s within two seconds; until then its circle shows no amount, and the dealer need not
act."""


class Outcome(StrEnum):
    """Outcome of an irregularity."""

    NOTICE = "notice"
    SET_ASIDE = "set_aside"
    NEXT_CARD = "next_card"
    BACK_UP = "back_up"
    GO_ON = "go_on"
    RESHUFFLE = "reshuffle"
    VOID = "void"
    REMOVE_DECK = "remove_deck"
    FLOOR = "floor"


FLOOR_CHOICES = (Outcome.GO_ON.value, Outcome.VOID.value, Outcome.REMOVE_DECK.value)
"""Outcomes from which a floorperson may choose if no text decides (config/rules/RULES.md, Irregularities)."""

FORFEIT: Final = "forfeit"
FORFEIT_ALL: Final = "forfeit_all"
"""Forfeit of every wager of the round, including settled ones."""


# ------------------------------------------------------------------ reports


class Asked(StrEnum):
    """Details that a report asks for."""

    SEAT = "seat"
    HAND = "hand"
    """A seat or the cross."""
    CROSS_PLACE = "cross_place"
    PLACE = "place"
    """Any place of a card."""
    FACE = "face"
    COUNT = "count"
    """Number of cards in a hand."""
    STUB = "stub"
    """Number of cards in the stub."""
    BONUS = "bonus"
    """One of the bonus cards."""
    CIRCLE = "circle"
    """A circle with too many chips."""


@dataclass(frozen=True, slots=True)
class Report:
    """Form of a dealer's report of an irregularity that no device can see."""

    asks: tuple[Asked, ...] = ()
    only_in: Phase | None = None
    """Phase in which alone it can happen; None for any phase."""
    bonus_cards: bool = False
    """Whether it can happen only if bonus cards are dealt."""


# ------------------------------------------------------------------ what may go wrong


@dataclass(frozen=True, slots=True)
class Kind:
    """All facts about one code."""

    grade: Grade
    cleared: Cleared
    """Way in which the irregularity ends: by itself, by the dealer, by a floorperson, or by the correction of
    the wrong state."""
    report: Report | None = None
    """Form of a dealer's report; None if a device detects it, or only a floorperson may report it."""
    of_player: bool = False
    """Whether it is an act of a player, for which some texts forfeit the hand."""
    watched_ms: int | None = None
    """Time in ms for which the readings of a circle must show it before it is raised; None if it does not
    depend on readings."""
    unread: bool = False
    """Whether it means that the circle cannot be read; no other alert on it is raised or cleared then."""
    before_close: bool = False
    """Whether it prevents the close of the bets."""
    signed: SignatureEffect | None = None
    """Effect of a signature: the round does not end before the irregularity is corrected or signed. None if
    it cannot be signed."""
    mispay: bool = False
    """Whether it is a settlement step that the dealer did wrongly, such as a wrong payout."""
    left_undone: bool = False
    """Whether it is raised when the dealer confirms, or passes, a step that is not done."""
    misdeal: bool = False
    """Whether it is a wrong hand or a wrong stub; the text rules on both together."""
    goes_with: tuple[Literal["deck", "shoe"], ...] = ()
    """`deck`: it ends when another deck is brought; `shoe`: it ends when the table changes to another way
    of dealing."""
    urgent: bool = False
    """Whether the chips have to be corrected now, before the act that the prompt asks for."""
    ruled: bool = False
    """Whether the rule pack decides what happens to the round although play is not held."""
    house: bool = False
    """Whether no rule text mentions it. House procedure then applies, unless a rule pack has its own
    ruling."""
    acknowledged: bool = False
    """Whether a floorperson acknowledges it with a reason and play goes on; no rule pack rules on it."""
    bonus_only: bool = False
    """Whether a rule pack without bonus cards may leave out its ruling."""

    @property
    def money(self) -> bool:
        """Return whether the irregularity is a difference of money."""
        return self.signed not in (None, "stands")

    @property
    def decided(self) -> bool:
        """Whether a rule text or a floorperson decides the effect on the round. All other irregularities are
        only reported and corrected."""
        return (self.grade == "hold" and not self.acknowledged) or self.ruled


_PLAYER = Kind("hold", "floor", Report((Asked.SEAT,)), of_player=True)
_UNFIT = Kind("alert", "mended", before_close=True)
_LEFT = Kind("alert", "mended", signed="ends", mispay=True, left_undone=True, urgent=True)
_SEEN = Kind("alert", "mended", watched_ms=ACCUSE_MS, urgent=True)
_UNREAD = Kind("alert", "mended", watched_ms=LOST_MS, unread=True, house=True)
_DIFFERENCE = replace(_SEEN, signed="stays")
_MISPAY = replace(_SEEN, signed="ends", mispay=True)


class Code(StrEnum):
    """Codes of all irregularities. Journals and records hold the string."""

    kind: Kind

    def __new__(cls, name: str, *entry: Kind) -> Self:
        code = str.__new__(cls, name)
        code._value_ = name
        (code.kind,) = entry
        return code

    # cards
    COMMUNITY_EXPOSED = "community_exposed", Kind("hold", "floor", Report((Asked.CROSS_PLACE,)))
    HOLE_EXPOSED = "hole_exposed", Kind("hold", "floor", Report((Asked.SEAT,)))
    BONUS_EXPOSED = (
        "bonus_exposed",
        Kind("hold", "floor", Report((Asked.BONUS,), bonus_cards=True), bonus_only=True),
    )
    CARD_DIFFERS = "card_differs", Kind("hold", "floor", Report((Asked.PLACE, Asked.FACE)), house=True)
    WRONG_COUNT = "wrong_count", Kind("hold", "floor", Report((Asked.HAND, Asked.COUNT)), misdeal=True)
    DRAWN_IN_ERROR = "drawn_in_error", Kind("notice", "itself", Report(), ruled=True)
    FACE_SEEN = "face_seen", Kind("hold", "floor", Report())
    CARD_FACE_UP = "card_face_up", Kind("notice", "itself", Report(only_in=Phase.DEALING))
    DUPLICATE_CARD = "duplicate_card", Kind("hold", "floor", Report((Asked.PLACE,)))
    CARD_NOT_READ = "card_not_read", Kind("notice", "dealer", house=True)
    """Never raised: a card that was not read is entered when it is turned. Published forms name the code."""
    CARD_BEFORE_CLOSE = "card_before_close", Kind("hold", "floor")
    # the deck and its devices
    SHUFFLER_FAULT = "shuffler_fault", Kind("hold", "floor", Report())
    SHOE_FAULT = "shoe_fault", Kind("hold", "floor", goes_with=("shoe",))
    SHOE_LOST = "shoe_lost", Kind("alert", "itself", ruled=True, house=True, goes_with=("shoe",))
    SHOE_TAMPERED = "shoe_tampered", Kind("alert", "floor", house=True)
    """Another sender on the shoe's line; its messages were dropped."""
    SHOE_CHANGED = "shoe_changed", Kind("hold", "floor", acknowledged=True, house=True)
    SHOE_UNPROVEN = "shoe_unproven", Kind("hold", "floor", acknowledged=True, house=True)
    """The shoe does not authenticate itself although the table file requires version 2 of the shoe link."""
    DEVICE_OUT_OF_ORDER = "device_out_of_order", Kind("notice", "floor")
    DECK_COUNT = "deck_count", Kind("hold", "floor", misdeal=True, goes_with=("deck",))
    DECK_CHANGE_DUE = "deck_change_due", Kind("alert", "dealer", goes_with=("deck",))
    WRONG_DECK = "wrong_deck", Kind("alert", "dealer", goes_with=("deck", "shoe"), urgent=True)
    STUB_COUNT_DUE = "stub_count_due", Kind("notice", "dealer")
    # wagers
    LATE_BET = "late_bet", _DIFFERENCE
    BET_CHANGED = "bet_changed", _DIFFERENCE
    BET_OUT_OF_TURN = "bet_out_of_turn", replace(_DIFFERENCE, before_close=True)
    NOT_A_WAGER = "not_a_wager", replace(_DIFFERENCE, report=Report((Asked.CIRCLE,)), house=True)
    """Chips in a circle that the dealer has reported as a tip, as a bet for the dealer or as chips to be
    changed. This names a difference, which still has to be put aside or signed."""
    CHIPS_EXCHANGED = "chips_exchanged", Kind("notice", "itself", house=True)
    """Difference that ended with other chips of the same total."""
    UNEQUAL_ANTES = "unequal_antes", _UNFIT
    BET_OUT_OF_RANGE = "bet_out_of_range", _UNFIT
    BONUS_WITHOUT_ANTES = "bonus_without_antes", _UNFIT
    BONUS_UNEQUAL = "bonus_unequal", _UNFIT
    # settlement
    LOSING_BET_LEFT = "losing_bet_left", _LEFT
    UNDERPAID = "underpaid", _LEFT
    OVERPAID = "overpaid", _MISPAY
    PUSH_DISTURBED = "push_disturbed", replace(_MISPAY, signed="house")
    WRONG_CIRCLE = "wrong_circle", replace(_MISPAY, signed="stays", house=True)
    SETTLED_OUT_OF_ORDER = "settled_out_of_order", replace(_MISPAY, signed="house")
    NOT_RETURNED = "not_returned", Kind("notice", "floor", signed="ends", house=True)
    """Money that was requested back from a player, or that the tray owes, and that was not handed over."""
    UNBALANCED = "unbalanced", Kind("hold", "floor", house=True)
    # players
    PLAYER_LEFT = "player_left", _PLAYER
    PLAYERS_CONFERRED = "players_conferred", _PLAYER
    CARDS_TOUCHED = "cards_touched", _PLAYER
    OUT_OF_VIEW = "out_of_view", _PLAYER
    HAND_LEFT = "hand_left", _PLAYER
    # by the floor
    FLOOR_STOPPED = "floor_stopped", Kind("hold", "floor", house=True)
    SETTINGS_CHANGED = "settings_changed", Kind("hold", "floor", acknowledged=True, house=True)
    """The table's settings have changed: a floorperson confirms them and gives a reason."""
    JOURNAL_SHORTENED = "journal_shortened", Kind("hold", "floor", acknowledged=True, house=True)
    """The last rows of the journal are lost: a floorperson compares the felt with the screen and gives a
    reason."""
    # chips and readers
    UNKNOWN_CHIP = "unknown_chip", _SEEN
    DUPLICATE_CHIP = "duplicate_chip", replace(_SEEN, house=True)
    CHIP_WITHDRAWN = "chip_withdrawn", _SEEN
    CHIP_UNPROVEN = "chip_unproven", replace(_SEEN, signed="stands", house=True)
    """A chip was asked to prove that it is not a copy, and did not. After the close a floorperson rules on
    its wager."""
    READING_UNSTABLE = "reading_unstable", _UNREAD
    READER_LOST = "reader_lost", _UNREAD
    READERS_LOST = "readers_lost", Kind("alert", "mended", house=True)
    """No reader answers: one alert instead of one per circle."""
    # the controller
    JOURNAL_FAULT = "journal_fault", Kind("alert", "itself", urgent=True, house=True)
    JOURNAL_DAMAGED = "journal_damaged", Kind("alert", "itself", house=True)
    """Old rows of the journal have changed since they were written: play goes on, and the technician is
    notified."""
    CLOCK_FAULT = "clock_fault", Kind("alert", "itself", house=True)
    LAMPS_FAULT = "lamps_fault", Kind("alert", "itself", house=True)
    """The lamps at the circles may be wrong: only the screen counts."""
    STORAGE_LOW = "storage_low", Kind("notice", "itself", house=True)
    PROOFS_STOPPED = "proofs_stopped", Kind("alert", "itself", house=True)
    """No chip can prove itself, because the secure module does not answer."""
    UNWITNESSED = "unwitnessed", Kind("notice", "itself", house=True)
    """No witness has cosigned the journal for a set time."""


# ------------------------------------------------------------------ reports of nothing gone wrong


class DealerReport(StrEnum):
    """Dealers' reports that are not irregularities."""

    report: Report

    def __new__(cls, name: str, *entry: Report) -> Self:
        member = str.__new__(cls, name)
        member._value_ = name
        (member.report,) = entry
        return member

    STUB_COUNT = "stub_count", Report((Asked.STUB,))
    NO_ACTIVITY = "no_activity", Report(only_in=Phase.BETTING)


Reportable: TypeAlias = Code | DealerReport

REPORTS: dict[Reportable, Report] = {
    **{code: code.kind.report for code in Code if code.kind.report is not None},
    **{report: report.report for report in DealerReport},
}
"""Dealers' reports in the order of the catalogue."""


# ------------------------------------------------------------------ finer rulings


@dataclass(frozen=True, slots=True)
class SubRulingRow:
    """Entry of a `SubRuling`: one of several rulings of a rule pack on the same code."""

    decided: bool = True
    house: Outcome | None = None
    """Outcome by house procedure, for a pack whose text does not mention it."""
    always: bool = True
    """Whether every pack must have it, unless it is house procedure."""


class SubRuling(StrEnum):
    """Cases of one code on which a text rules separately."""

    row: SubRulingRow

    def __new__(cls, name: str, *entry: SubRulingRow) -> Self:
        finer = str.__new__(cls, name)
        finer._value_ = name
        (finer.row,) = entry
        return finer

    FACE_UP_ONE = "face_up_one", SubRulingRow()
    FACE_UP_MORE = "face_up_more", SubRulingRow(always=False)
    """More than one card face up. Packs may leave it out if a single such card already voids the round."""
    CARDS_UNSEEN = "cards_unseen", SubRulingRow(house=Outcome.FLOOR)
    MANUAL_SHOE_FAULT = "manual_shoe_fault", SubRulingRow(house=Outcome.FLOOR)
    IMPOSSIBLE_CARD = "impossible_card", SubRulingRow()
    STUB_MISDEALT = "stub_misdealt", SubRulingRow()
    STUB_MISDEALT_CROSS = "stub_misdealt_cross", SubRulingRow()
    STUB_SHORT = "stub_short", SubRulingRow()
    STUB_BOTH = "stub_both", SubRulingRow(house=Outcome.REMOVE_DECK)
    BET_RAISED = "bet_raised", SubRulingRow(decided=False)


Ruled: TypeAlias = Code | SubRuling
"""Irregularity, or case of one, on which a rule pack rules."""

# ------------------------------------------------------------------ codes selected by a fact

MONEY = tuple(code for code in Code if code.kind.money)
UNFIT = tuple(code for code in Code if code.kind.before_close)
WATCHED = tuple(code for code in Code if code.kind.watched_ms is not None)
LEFT_UNDONE = tuple(code for code in Code if code.kind.left_undone)
WITH_DECK = tuple(code for code in Code if "deck" in code.kind.goes_with)
WITH_SHOE = tuple(code for code in Code if "shoe" in code.kind.goes_with)
OF_PLAYER = tuple(code for code in Code if code.kind.of_player)
