"""A table that plays the rounds of the kernel, with the same cards, wagers and decisions.

Its events are those of devices and people, and only accepted ones are played. Prompts, settlement and their
order are the table's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.game.model import events
from controller.game.model.cards import DECK
from controller.game.model.irregularities import DealerReport as Reports
from controller.game.model.names import ANTES, SEATS, Key, Method, Phase, Wager
from controller.game.model.plan import Item
from controller.game.model.rules import RulePack
from controller.game.showing.prompts import Prompt
from controller.rules.volume.arrays import AT, CardArray, card_of
from controller.rules.volume.deal import dealt_places
from controller.rules.volume.play import PlayedRounds
from tests.trials.bench.pure import PureTable

BADGE = "B1"


class DrivenTable(PureTable):
    """Table with one way of dealing, which must be that of every batch that it plays."""

    def __init__(self, pack: RulePack, method: Method) -> None:
        self._now: tuple[PlayedRounds, CardArray, int] | None = None
        super().__init__(0, pack, method)
        confirmed = ("turn_bonus", "permit_cards", "deal_hand", "load_deck")
        self._doing = {
            **self._doing, "deal_card": self._draw, "take_stub": self._stub, "enter_face": self._enter,
            "signature": self._opening,
            **dict.fromkeys(confirmed, self._confirm),
        }  # fmt: skip

    def play_round(
        self, played: PlayedRounds, decks: CardArray, number: int
    ) -> tuple[tuple[Item, ...], Mapping[str, Any]]:
        """Play round `number` of a batch; return the settlement as the table planned it, and the record."""
        self._now = played, decks, number
        self.play(1)
        round_ = self.table.state.round
        assert round_ is not None and self.table.state.phase is Phase.CLEARING
        return round_.settlement.plan, self.records.pop()

    def _playing(self) -> tuple[PlayedRounds, CardArray, int]:
        assert self._now is not None
        return self._now

    def _laid(self, seat: int, wager: Wager) -> int:
        played, _, number = self._playing()
        if seat not in played.dealt.seats:
            return 0
        return int(played.wagers[AT[wager], played.dealt.seats.index(seat), number])

    # ------------------------------------------------------------------ the close and the cards

    def _bets(self, _prompt: Prompt) -> None:
        """Assign the players to boxes, then lay the antes and bonuses."""
        _, decks, number = self._playing()
        dealt = [card_of(card) for card in decks[:, number]]
        self._deck = [None] * (len(DECK) - len(dealt)) + dealt[::-1]
        self._name_players()
        for seat in SEATS:
            for wager in (*ANTES, *self.pack.bonuses):
                if cents := self._laid(seat, wager):
                    self._lay(seat, wager, cents)
        self._press(Key.NO_MORE_BETS)
        since = self.table.sweep_since()
        assert since is not None, "no sweep is wanted after the close"
        self._event(events.SweepCompleted(since))

    def _name_players(self) -> None:
        played, _, _ = self._playing()
        wanted = dict(zip(played.dealt.seats, played.players, strict=True))
        if {seat: self.table.state.players.get(seat, str(seat)) for seat in wanted} == wanted:
            return
        for player in dict.fromkeys(wanted.values()):
            boxes = tuple(seat for seat, name in wanted.items() if name == player)
            self._people(events.FloorDecided(BADGE, "player", seats=boxes))

    def _draw(self, _prompt: Prompt) -> None:
        self._out += 1
        self._event(events.CardLeftShoe(self._out, self._deck.pop()))

    def _stub(self, _prompt: Prompt) -> None:
        if self.table.state.method is Method.HAND:
            self._press(Key.CONFIRM)
        else:
            self._event(events.StubTaken(len(self._deck)))

    def _count(self, prompt: Prompt) -> None:
        self._people(events.Reported(Reports.STUB_COUNT, number=prompt.amount))

    def _enter(self, prompt: Prompt) -> None:
        """Enter the card that the dealer has turned."""
        played, decks, number = self._playing()
        at = dealt_places(self.pack, played.dealt.method, played.dealt.seats).index(prompt.places[0])
        self._people(events.FaceEntered(prompt.places[0], card_of(decks[at, number])))

    def _confirm(self, _prompt: Prompt) -> None:
        self._press(Key.CONFIRM)

    # ------------------------------------------------------------------ decisions

    def _ask(self, prompt: Prompt) -> None:
        assert prompt.seat is not None and prompt.wager is not None
        if cents := self._laid(prompt.seat, prompt.wager):
            self._lay(prompt.seat, prompt.wager, cents)
        else:
            self._press(Key.FOLD)
