"""Stand-in for a table in play: a test sends events to it and reads its state and records, without a daemon
or devices.

Its methods are acts at a table, such as `lay`, `press` and `deal`. Time advances only when a test requests
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any, Self

from pydantic import TypeAdapter

from controller.common.files.packaged import data_dir
from controller.common.texts.catalogue import catalogue
from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.effects import Checkpoint, CommandShoe, WriteRecord
from controller.game.model.irregularities import REPORTS, Code
from controller.game.model.names import SEATS, Key, Method, Phase, Wager
from controller.game.model.procedures import PROCEDURES
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings, TableState
from controller.game.rulebook.deal import plan_deal
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.prompts import Prompt
from controller.game.table import Table
from controller.rules.packs.loader import find_pack, load_pack

STATE: TypeAdapter[TableState] = TypeAdapter(TableState)
TEXTS = catalogue("en").texts
CODES = frozenset(Code)
REFUSALS = TEXTS["refusals"].keys() | CODES | TEXTS["prompts"].keys()
"""Every code with a text for a refusal."""
UNCITED = (
    "open_table", "load_deck", "shuffle_wait", "reading_wait", "enter_amount", "enter_face", "hand_back",
    "fix_wagers", "proofs_wait",
)  # fmt: skip
"""Prompts without a citation, because no rule requires them or because the code that they name already has a
citation."""
CROSS_ORDER = ("down_far", "across_left", "middle", "across_right", "down_near")


@cache
def pack(key: str = "pennsylvania") -> RulePack:
    return load_pack(find_pack(key, (data_dir("config") / "rules",)))


OPENED: dict[tuple[str, Method | None], Felt] = {}
"""Felts, by rules and method, that were opened when this module was imported and so before any test could
change the game. A later felt with the same rules and method begins as a copy."""


class Felt:
    """One table with a working reader in every circle, opened with a preshuffled deck."""

    def __init__(
        self, rules: str | RulePack = "pennsylvania", method: Method | None = None, **settings: Any
    ) -> None:
        if type(self) is Felt and isinstance(rules, str) and not settings and (rules, method) in OPENED:
            vars(self).update(vars(OPENED[rules, method].fork()))
        else:
            self._open(pack(rules) if isinstance(rules, str) else rules, method, settings)

    def _open(self, rules: RulePack, method: Method | None, settings: Mapping[str, Any]) -> None:
        self.pack = rules
        self.method = method or next(iter(self.pack.deals))
        self.sections = {"", *self.pack.citations.values(), *(r.citation for r in self.pack.rulings.values())}
        self.cited = {*self.sections, "house procedure"}
        known = {"floorpersons": ("B1", "B2"), **settings}
        self.table = Table(self.pack, TableSettings(method=self.method, **known))
        self.ms = 0
        self.uid = 0
        self.out = 0
        self.cards: list[str] = []
        self.commands: list[CommandShoe] = []
        self.records: list[Mapping[str, Any]] = []
        self.does_shuffle = True
        self.event(
            events.Started(tuple((seat, wager) for seat in SEATS for wager in Wager), procedures=PROCEDURES)
        )
        for seat in SEATS:
            for wager in Wager:
                self.event(events.CircleRead(seat, wager, ()))
        self.event(events.ShoeLinkOpened("TEST", "1", "1", "boot"))
        self.press("confirm")
        for back in ("RED", "BLUE")[: self.table.settings.decks]:
            self.event(events.DeckBrought(back, preshuffled=True))
            while self.phase is Phase.OPENING and self.table.state.deck.present:
                if self.refused(events.KeyPressed(Key.CONFIRM)):
                    self.floor("sign")
                else:
                    self.press("confirm")
        if self.method is Method.HAND:
            self.press("confirm")

    def fork(self) -> Self:
        """Return a copy with its own records and commands. Later events of the copy and of the original do
        not affect each other, because an event replaces the table's state and alters none."""
        other = copy(self)
        other.table = copy(self.table)
        other.cards, other.commands, other.records = [*self.cards], [*self.commands], [*self.records]
        return other

    # ------------------------------------------------------------------ events

    @property
    def phase(self) -> Phase:
        return self.table.state.phase

    @property
    def round(self) -> Any:
        return self.table.state.round

    def refused(self, event: events.Event) -> Refusal | None:
        """Return the refusal of an event, or None. Checks that a section in the refusal is one of the
        pack's."""
        refusal = self.table.verify(event)
        assert refusal is None or (refusal.code in REFUSALS and refusal.citation in self.sections), refusal
        return refusal

    def refusal_code(self, event: events.Event) -> str | None:
        """Return the code with which an event is refused, or None if it is accepted."""
        refusal = self.refused(event)
        return refusal.code if refusal else None

    def held_for(self) -> tuple[str, str] | None:
        """Return the code and the citation of the hold, or None if play is not held."""
        hold = self.table.state.hold
        return (hold.code, hold.citation) if hold else None

    def check_codes(self) -> None:
        """Check that each code has a text in the catalogue, and that each cited section is in the pack."""
        state = self.table.state
        entries = (*state.round.irregularities, *((state.hold,) if state.hold else ())) if state.round else ()
        assert CODES.issuperset(entry.code for entry in (*entries, *state.alerts))
        assert self.cited.issuperset(entry.citation for entry in entries)
        self.check_prompt(self.table.prompt())

    def check_prompt(self, prompt: Prompt | None) -> None:
        """Check that the prompt has a text and cites a section, unless it only asks the dealer to confirm an
        input."""
        if prompt is not None:
            assert prompt.kind in TEXTS["prompts"]
            assert prompt.kind in UNCITED or prompt.citation in self.cited, prompt

    def event(self, event: events.Event, after_ms: int = 1) -> None:
        refusal = self.refused(event)
        assert refusal is None, f"{event} in {self.phase} refused: {refusal}"
        self.ms += after_ms
        for effect in self.table.handle(event, events.Stamp(self.ms, f"2026-11-20T20:00:{self.ms:06}Z")):
            if isinstance(effect, WriteRecord):
                self.records.append(effect.record)
            elif isinstance(effect, CommandShoe):
                self.commands.append(effect)
            elif isinstance(effect, Checkpoint):
                self.kept()
        self.check_codes()
        if self.does_shuffle and self.commands and self.commands[-1].command == "SHUFFLE":
            self.commands.pop()
            self.shuffled()

    def kept(self) -> None:
        """Check that the state, written to its stored form and read back, has the same value and type in each
        field."""
        state = self.table.state
        assert STATE.validate_json(STATE.dump_json(state), strict=True) == state

    def shuffled(self, back: str = "RED") -> None:
        self.out = 0
        self.event(events.ShuffleFinished(52, back))
        self.event(events.DeckReady(52, back))
        self.event(events.CommandDone("SHUFFLE"))

    def press(self, key: str) -> None:
        self.event(events.KeyPressed(Key(key)))

    def stand(self, ms: int = 400) -> None:
        """Let time pass while no chip moves."""
        self.event(events.TimePassed(), ms)

    def report(self, what: str, **more: Any) -> None:
        self.event(events.Reported(next(report for report in REPORTS if report == what), **more))

    def floor(self, decision: str, **more: Any) -> None:
        if "code" in more:
            more["code"] = Code(more["code"])
        self.event(events.FloorDecided("B1", decision, **more))

    # ------------------------------------------------------------------ chips

    def chip(self, cents: int) -> events.Chip:
        self.uid += 1
        return events.Chip(f"04{self.uid:012X}", cents)

    def lay(self, seat: int, **dollars: int) -> None:
        """Lay the given dollars on each named circle of the seat, as one chip."""
        for wager, amount in dollars.items():
            chips = (self.chip(amount * 100),) if amount else ()
            self.event(events.CircleRead(seat, Wager(wager), chips))

    def antes(self, *seats: int, ante: int = 10, **bonuses: int) -> None:
        for seat in seats:
            self.lay(seat, ante_across=ante, ante_down=ante, **bonuses)

    def clear(self) -> None:
        for seat in SEATS:
            for wager in Wager:
                if self.table.state.amount(seat, wager):
                    self.lay(seat, **{wager.value: 0})

    def close(self) -> None:
        """Press NO MORE BETS, then report a reading of every circle."""
        self.press("no_more_bets")
        self.swept()

    def swept(self) -> None:
        since = self.table.sweep_since()
        assert since is not None
        self.event(events.SweepCompleted(since))

    # ------------------------------------------------------------------ cards

    def card(self, face: str | None, found: Any = "face_down") -> None:
        self.out += 1
        self.event(events.CardLeftShoe(self.out, Card(face) if face else None, found))

    def stack(self, faces: Iterable[str | None]) -> None:
        faces = list(faces)
        for face in faces:
            self.card(face)
        self.event(events.StackCompleted(len(faces)))
        self.event(events.CommandDone("DEAL"))

    def stacks(self, cross: str, hands: Mapping[int, str]) -> None:
        """Deal and take every stack of an automated shoe; the stub stays in the shoe."""
        for cards in (cross, *(hands[seat] for seat in sorted(self.round.seats))):
            self.stack(cards.split())
            self.event(events.StackTaken())

    def closed(self, *seats: int, **bets: Any) -> Felt:
        """Lay the antes of the seats, close the bets and return the table."""
        self.antes(*seats, **bets)
        self.close()
        return self

    def dealt(self, cross: str, hands: dict[int, str], **bets: Any) -> Felt:
        """Lay the antes of the seats, close the bets, deal to the seats and return the table."""
        self.closed(*hands, **bets).deal(cross, hands)
        return self

    def deal(self, cross: str, hands: Mapping[int, str], stub: int | None = None) -> None:
        """Deal all stacks from an automated shoe, up to the first decision. `cross` has the cards in the
        order of CROSS_ORDER."""
        self.stacks(cross, hands)
        self.event(events.StubTaken(52 - self.out if stub is None else stub))
        if any(alert.code == "stub_count_due" for alert in self.table.state.alerts):
            self.report("stub_count", number=52 - self.out)

    def draw(self, cross: str, hands: Mapping[int, str], bonus: str = "") -> None:
        """Deal all cards one by one, in the pack's order, up to the first decision."""
        faces: dict[str, str] = dict(zip(CROSS_ORDER, cross.split(), strict=True))
        faces |= {f"bonus_{n}": face for n, face in enumerate(bonus.split(), 1)}
        for seat, cards in hands.items():
            faces |= {f"seat_{seat}_{n}": face for n, face in enumerate(cards.split(), 1)}
        for step in plan_deal(self.pack.deals[self.method], self.round.seats):
            for place in step.places:
                self.card(faces[place])
        self.event(events.StubTaken(52 - self.out))
        if any(alert.code == "stub_count_due" for alert in self.table.state.alerts):
            self.report("stub_count", number=52 - self.out)
        if self.phase is Phase.DEALING:
            self.press("confirm")

    def enter(self, place: str, face: str) -> None:
        """Enter a face on the dealer's screen."""
        self.event(events.FaceEntered(place, Card(face)))

    def deal_all(self, deck: list[str] | list[Card]) -> None:
        """Deal the next cards of `deck` by the table's own way of dealing."""
        if self.method is Method.HAND:
            self.press("confirm")
            self.press("confirm")
            return
        self.deal_cards(deck)
        self.event(events.StubTaken(52 - self.out))

    def deal_cards(self, deck: list[str] | list[Card]) -> None:
        """Deal every hand from a shoe; the stub stays in it."""
        faces = iter(deck)
        for step in plan_deal(self.pack.deals[self.method], self.round.seats):
            if step.kind == "stack":
                self.stack([next(faces) for _ in step.places])
                self.event(events.StackTaken())
            else:
                self.card(next(faces))

    def unused(self, count: int) -> list[str]:
        known = {dealt.face for dealt in (*self.round.cards.values(), *self.round.deal.exit)}
        return [face for face in DECK if face not in known][:count]

    # ------------------------------------------------------------------ play

    def bet(self, dollars: int) -> None:
        """Lay the bet of the seat that is asked, in dollars, and confirm it as the dealer."""
        prompt = self.prompt
        self.lay(prompt["seat"], **{prompt["wager"]: dollars})
        self.press("confirm")

    def fold(self) -> None:
        self.press("fold")
        self.press("confirm")

    def decide(self, **seats: int | None) -> None:
        """Play one decision of every seat that is asked, in order (a bet in dollars, or None to fold). Then
        collect the folds and turn the cards. Example: `decide(s3=20, s5=None)`."""
        phase = self.phase
        while self.prompt["kind"] in ("ask", "confirm_bet", "confirm_fold") and self.phase is phase:
            amount = seats[f"s{self.prompt['seat']}"]
            self.fold() if amount is None else self.bet(amount)
        self.collect()
        if self.phase is phase and self.prompt["kind"] == "turn":
            self.press("confirm")

    def collect(self) -> None:
        while (prompt := self.table.prompt()) is not None and prompt.kind == "collect":
            assert prompt.seat is not None and prompt.wager is not None
            self.lay(prompt.seat, **{prompt.wager.value: 0})

    @property
    def prompt(self) -> dict[str, Any]:
        prompt = self.table.view()["prompt"]
        assert prompt is not None
        return dict(prompt)

    def settle_one(self) -> dict[str, Any]:
        """Carry out the current prompt once and return it."""
        prompt = self.prompt
        seat, wager = prompt["seat"], prompt["wager"]
        if prompt["kind"] == "take":
            self.lay(seat, **{wager: 0})
        elif prompt["kind"] == "pay":
            self.pay(seat, wager, prompt["amount"])
        else:
            assert prompt["kind"] in ("push", "turn_seat", "turn_bonus"), prompt
            self.press("confirm")
        return prompt

    def pay(self, seat: int, wager: str, cents: int) -> None:
        """Add a chip of this value in cents to the chips in the circle."""
        holding = self.table.state.holding(seat, Wager(wager))
        self.event(events.CircleRead(seat, Wager(wager), (*holding.chips, self.chip(cents))))

    def settle(self) -> list[dict[str, Any]]:
        """Carry out the complete settlement; return its prompts in order."""
        prompts = []
        while self.phase is Phase.SETTLEMENT:
            prompts.append(self.settle_one())
        return prompts

    def next_round(self) -> None:
        """Take the winnings, return the cards, and open the next round for bets."""
        self.clear()
        self.press("confirm")
        if self.method is Method.HAND:
            self.press("confirm")
        assert self.phase is Phase.BETTING

    def codes(self) -> list[str]:
        return [alert.code for alert in self.table.state.alerts]

    def result(self, seat: int, wager: str) -> dict[str, Any]:
        """Return the entry of one wager in the newest record."""
        record = self.records[-1]
        found = next(s for s in record["seats"] if s["seat"] == seat)
        return dict(found["wagers"][wager])

    def with_pack(self, **changes: Any) -> RulePack:
        return replace(self.pack, **changes)


for _key in ("pennsylvania", "massachusetts", "maryland", "six_card_bonus"):
    for _method in pack(_key).deals:
        OPENED[_key, _method] = Felt(_key, _method)
    OPENED[_key, None] = OPENED[_key, next(iter(pack(_key).deals))]
