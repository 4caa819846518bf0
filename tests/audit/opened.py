"""Collection of every prompt that a pack causes, with the section that each prompt cites.

A table is opened, dealt by each of the pack's ways, folded, settled and voided; the prompt is recorded after
each event. This module has no expected values.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any, Self

from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.names import Key, Method, Phase
from controller.game.model.rules import RulePack
from controller.game.rulebook.deal import plan_deal
from controller.game.showing.prompts import Prompt
from controller.game.table import Table
from controller.pages.display.words import render
from tests.game.felt import Felt, pack

Opened = tuple[str, str, str]
"""A prompt's kind, the section that it cites, and its line."""
HANDS = ("2C 7D TH JS 4C", "TD 9S"), ("2C JD TC JS 4C", "JH 9S"), ("6C 7D 8H JS 6D", "AS KD")
"""Pairs of a cross and seat 3's cards, for three results: a push and a loss; a win; a bonus that wins."""


class Seen(Felt):
    """A felt that records each prompt."""

    def __init__(self, rules: RulePack, method: Method, **settings: Any) -> None:
        self.prompts: dict[Prompt, Table] = {}
        """Copy of the table at the first occurrence of each prompt, by prompt."""
        super().__init__(rules, method, **settings)

    def fork(self) -> Self:
        other = super().fork()
        other.prompts = {**self.prompts}
        return other

    def check_prompt(self, prompt: Prompt | None) -> None:
        super().check_prompt(prompt)
        if prompt is not None and prompt not in self.prompts:
            self.prompts[prompt] = copy(self.table)

    @property
    def opened(self) -> set[Opened]:
        """Return every prompt so far. The views are built only here, because few looks at a table need
        them."""
        lines = {prompt: render(table.view(), "en")["prompt"] for prompt, table in self.prompts.items()}
        return {(prompt.kind, prompt.citation or "", str(line)) for prompt, line in lines.items()}

    def laid(self, *seats: int) -> None:
        """Lay antes and every bonus at the table minimum for these seats, and close the bets."""
        ante = self.pack.minimum_ante // 100
        for seat in seats:
            self.lay(seat, ante_across=ante, ante_down=ante)
            for bonus in self.pack.bonuses:
                self.lay(seat, **{bonus.value: self.pack.bonus_minimum // 100})
        self.close()

    def dealt(self, cross: str = HANDS[0][0], cards: str = HANDS[0][1]) -> None:
        """Deal up to the first decision, with `cards` at seat 3. The stub is counted if its count is due."""
        faces = dict(
            zip(
                ("down_far", "across_left", "middle", "across_right", "down_near"), cross.split(), strict=True
            )
        )
        faces |= {f"seat_3_{n}": face for n, face in enumerate(cards.split(), 1)}
        spare = iter(face for face in DECK if face not in faces.values())
        if self.method is Method.HAND:
            self.press("confirm")
            self.press("confirm")
        else:
            for step in plan_deal(self.pack.deals[self.method], self.round.seats):
                self._laid_out([faces.get(place) or next(spare) for place in step.places], step.kind)
            self.event(events.StubTaken(52 - self.out))
        if any(alert.code == "stub_count_due" for alert in self.table.state.alerts):
            self.report("stub_count", number=52 - sum(map(len, self._dealt_places())))
        if self.phase is Phase.DEALING:
            self.press("confirm")

    def _dealt_places(self) -> list[tuple[str, ...]]:
        return [step.places for step in plan_deal(self.pack.deals[self.method], self.round.seats)]

    def _laid_out(self, faces: list[str], kind: str) -> None:
        if kind == "stack":
            self.stack(faces)
            self.event(events.StackTaken())
        else:
            self.card(faces[0])

    def whole_round(self, hand: tuple[str, str] = HANDS[0], *folds: int) -> None:
        """Lay, deal and play a round. `hand`: cross and cards of seat 3; `folds`: seats that fold."""
        self.laid(3, 5)
        self.dealt(*hand)
        self.played(*folds)

    def played(self, *folds: int) -> None:
        """Play a complete round: every seat bets its ante except those in `folds`, all wagers are settled,
        and the cards are put away."""
        while self.phase is not Phase.CLEARING:
            prompt = self.prompt
            if prompt["kind"] == "ask" and prompt["seat"] in folds:
                self.fold()
            elif prompt["kind"] == "ask":
                self.bet(self.pack.minimum_ante // 100)
            elif prompt["kind"] == "collect":
                self.collect()
            elif prompt["kind"] == "turn":
                self.press("confirm")
            elif prompt["kind"] == "enter_face":
                self._entered(prompt["places"][0])
            else:
                self.settle_one()
        self.next_round()

    def _entered(self, place: str) -> None:
        wanted = dict(
            zip(("down_far", "across_left", "middle", "across_right", "down_near"), DECK, strict=False)
        )
        faces = [wanted.get(place, Card("AS")), *reversed(DECK)]
        face = next(f for f in faces if self.refused(events.FaceEntered(place, f)) is None)
        self.event(events.FaceEntered(place, face))

    def given_back(self) -> None:
        """Return the chips of a void round as prompted, and end the round."""
        while (hold := self.table.state.hold) is not None:
            self.floor("approve") if hold.proposed else self.floor("outcome", outcome="void")
        self.clear()
        while self.phase is Phase.VOID:
            self.press("confirm")


def _opening(felt: Seen) -> None:
    """Open a new deck step by step, then another with a recut, and a deck that was put away."""
    felt.event(events.DeckBrought("GREEN"))
    _stepped(felt)
    felt.floor("recut")
    _stepped(felt)
    felt.floor("close")
    felt.press("confirm")
    felt.event(events.DeckBrought("GREEN", same=True))
    _stepped(felt)


def _stepped(felt: Seen) -> None:
    while felt.phase is Phase.OPENING:
        felt.floor("sign") if felt.refused(events.KeyPressed(Key.CONFIRM)) else felt.press("confirm")
    if felt.method is Method.HAND and felt.phase is Phase.SHUFFLE:
        felt.press("confirm")


def _voided(felt: Seen, trouble: str) -> None:
    """Play a round in which `trouble` is reported after the deal, and a floorperson approves the proposal."""
    felt.laid(3, 5)
    if trouble == "jam":
        felt.event(events.ShoeFaulted("JAM"))
    elif trouble == "face_up":
        felt.card("KS", "face_up")
        if felt.phase is Phase.DEALING:
            felt.card("KH", "face_up")
    else:
        felt.dealt()
        felt.report(trouble, **REPORT_DETAILS.get(trouble, {}))
    if felt.phase in (Phase.HELD, Phase.VOID):
        felt.given_back()


REPORT_DETAILS: dict[str, dict[str, Any]] = {
    "wrong_count": {"seat": 3, "number": 3},
    "community_exposed": {"place": "middle"},
    "stub_count": {"number": 30},
}
TROUBLES = ("wrong_count", "community_exposed", "stub_count", "shuffler_fault", "jam", "face_up")


@cache
def opened(key: str) -> frozenset[Opened]:
    """Return all prompts of rounds played under the pack by each way of dealing, including a round in which
    the stub is counted."""
    found: set[Opened] = set()
    for method in pack(key).deals:
        counted = Seen(counting(pack(key)), method)
        counted.whole_round()
        found |= counted.opened | rounds(pack(key), method)
    return frozenset(found)


def counting(rules: RulePack) -> RulePack:
    """Return the pack with a count of the stub due in every round, for each way of dealing that requires
    counts."""
    deals = {
        method: replace(deal, counts_stub_every=deal.counts_stub_every and 1)
        for method, deal in rules.deals.items()
    }
    return replace(rules, deals=deals)


def _given_up(felt: Seen) -> None:
    """Change to each other way of dealing in turn."""
    felt.does_shuffle = False
    for method in felt.pack.deals:
        felt.floor("method", method=method)


def rounds(rules: RulePack, method: Method) -> set[Opened]:
    """Return the prompts of complete and of stopped rounds dealt by `method`."""
    felt = Seen(rules, method)
    for hand in HANDS:
        felt.whole_round(hand)
    for seat in (3, 5):
        felt.whole_round(HANDS[0], seat)
    _opening(felt)
    found = felt.opened
    if not rules.deals[method].needs_shuffler and method is not Method.AUTOMATED_SHOE:
        by_hand = Seen(rules, method, shuffler=False)
        by_hand.floor("shuffle")
        _stepped(by_hand)
        found |= by_hand.opened
    for trouble in _troubles_of(method):
        stopped = Seen(rules, method)
        _voided(stopped, trouble)
        found |= stopped.opened
    changed = Seen(rules, method)
    _given_up(changed)
    return found | changed.opened


def _troubles_of(method: Method) -> Iterable[str]:
    by_hand = method is Method.HAND
    return (trouble for trouble in TROUBLES if not (by_hand and trouble in ("jam", "face_up")))
