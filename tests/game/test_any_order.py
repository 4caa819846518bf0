"""The game accepts any events in any order without an error, reveals no unturned face, and replays to the
same state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model import events
from controller.game.model.cards import DECK, Card
from controller.game.model.effects import Checkpoint, WriteRecord
from controller.game.model.irregularities import REPORTS, Code, DealerReport
from controller.game.model.names import BONUS_PLACES, CROSS, SEATS, Circle, Key, Method, Phase, Wager
from controller.game.model.rules import RulePack
from controller.game.model.state import TableState
from controller.game.phases import on_the_way
from controller.game.rulebook.faces import shown_places
from controller.game.table import NEXT, Table
from controller.game.watching.judge import duplicate_circles, judge
from tests.game.felt import STATE, Felt, pack
from tests.game.test_properties import EMPTIED, PACKS, WAYS, Players, check_money, seeds

pytestmark = pytest.mark.slow


def _some(dice: random.Random, *values: Any) -> Any:
    return dice.choice(values)


def _place(dice: random.Random) -> str:
    seats = [f"seat_{seat}_{card}" for seat in range(8) for card in range(4)]
    return str(dice.choice([*CROSS, *BONUS_PLACES, *seats, "set_aside", "nowhere", ""]))


def _chips(dice: random.Random) -> tuple[events.Chip, ...]:
    count = dice.choice([0, 0, 1, 1, 2, 3])
    chips = []
    for _ in range(count):
        note = _some(dice, "", "", "", "", "unknown", "withdrawn", "foreign")
        cents = None if note else _some(dice, 100, 500, 1000, 2500)
        chips.append(events.Chip(f"{dice.randint(0, 400):04}", cents, note))
    return tuple(chips)


def any_event(dice: random.Random, state: TableState) -> events.Event:
    """Return an event of any type, sensible or not. A report of the shoe is often the one that is next in the
    deal."""
    seat, wager = dice.randint(1, 6), dice.choice(list(Wager))
    face = Card(dice.choice(DECK))
    kind = dice.choice(MAKERS)
    if kind is events.CardLeftShoe:
        found = _some(dice, *["face_down"] * 9, "face_up", "not_read", "impossible")
        number = state.shoe.out + 1 if dice.random() < 0.95 else dice.randint(1, 60)
        return events.CardLeftShoe(number, face if found == "face_down" else None, found)
    if kind is events.Reported:
        return events.Reported(
            _some(dice, *REPORTS, *Code), _some(dice, None, seat, 9), _some(dice, None, _place(dice)),
            _some(dice, None, -1, 0, 1, 2, 3, 5, 33), _some(dice, None, face),
        )  # fmt: skip
    if kind is events.FloorDecided:
        return events.FloorDecided(
            _some(dice, "B1", "B1", "B1", ""), _some(dice, *DECISIONS_OF_THE_FLOOR),
            _some(dice, None, "void", "go_on", "remove_deck", "forfeit", "reshuffle"),
            _some(dice, None, seat, 9), _some(dice, (), (seat,), (1, 2), (0, 9)),
            _some(dice, None, *Method), "", _some(dice, None, None, wager),
        )  # fmt: skip
    if kind is events.RoundCorrected:
        return events.RoundCorrected(
            _some(dice, "B1", ""), _some(dice, 0, 1, state.next_round - 1, state.next_round),
            _some(dice, seat, 9), wager, _some(dice, -500, 0, 500), _some(dice, "short", " "),
        )  # fmt: skip
    return _of_kind(dice, kind, state, seat, wager, face)


DECISIONS_OF_THE_FLOOR = (
    "approve", "approve", "refuse", "outcome", "outcome", "forfeit", "recut", "shuffle", "player", "method",
    "sign", "sign", "close", "nonsense",
)  # fmt: skip


def _of_kind(
    dice: random.Random, kind: type, state: TableState, seat: int, wager: Wager, face: Card
) -> events.Event:
    made: tuple[events.Event, ...] = (
        events.ShoeLinkOpened(
            "M", _some(dice, "1", "1", "2"), "1", _some(dice, "a", "b"), _some(dice, "1", "2")
        ),
        events.ShoeLinkLost(),
        events.ShoeStated(
            _some(dice, "EMPTY", "SHUFFLING", "READY", "DEALING", "FAULT"), _some(dice, None, 52),
            _some(dice, state.shoe.out, 0, 7), _some(dice, None, "RED", "BLUE"), "STACK", dice.random() < 0.5,
        ),
        events.ShuffleFinished(_some(dice, None, 52, 52, 51), "RED"),
        events.DeckReady(52, _some(dice, None, "RED", "BLUE")),
        events.StackCompleted(_some(dice, 0, 2, 2, 5, 5, 6)),
        events.StackTaken(),
        events.StubTaken(_some(dice, None, 33, 52 - state.shoe.out)),
        events.ShoeFaulted(_some(dice, "JAM", "DOOR", "SHUFFLE")),
        events.ShoeFaultCleared("JAM"),
        events.CommandDone(_some(dice, "DEAL", "STUBOUT", "SHUFFLE", "HOLD")),
        events.CommandRefused(_some(dice, "DEAL", "STUBOUT", "SHUFFLE", "SIGN"), "no"),
        events.CircleRead(seat, wager, _chips(dice)),
        events.CircleUnreadable(seat, wager, _some(dice, "silent", "unstable", "not_fitted")),
        events.SweepCompleted(_some(dice, state.sweep_since, state.sweep_since, 0) or 0),
        events.KeyPressed(_some(dice, *Key, Key.CONFIRM, Key.CONFIRM, Key.CONFIRM)),
        events.AmountEntered(_some(dice, seat, 0, 9), wager, _some(dice, -1, 0, 500, 1000)),
        events.FaceEntered(_place(dice), face),
        events.CardsSwapped(_place(dice), _place(dice)),
        events.DealerSignedOn("D7"),
        events.DealerRelieved(),
        events.DeckBrought(_some(dice, None, "RED", "BLUE"), dice.random() < 0.7, dice.random() < 0.3),
        events.PersonTried(_some(dice, "B1", "unknown"), "floor", dice.random() < 0.5),
        events.Started(tuple((s, w) for s in SEATS for w in Wager if dice.random() < 0.9)),
        events.SettingsChanged({"whole": "sha256:b"}, ("rules",), signed=dice.random() < 0.5),
        events.TimePassed(),
        events.TroubleReported(_some(dice, *TROUBLES), "words", dice.random() < 0.5),
        events.FloorOnTheWay(_some(dice, *on_the_way.subjects(state), "hold never"), "B1"),
    )  # fmt: skip
    return next(each for each in made if type(each) is kind)


TROUBLES = (Code.CLOCK_FAULT, Code.SHOE_TAMPERED, Code.SHOE_UNPROVEN)
MAKERS = [
    *[events.CardLeftShoe] * 6, *[events.CircleRead] * 12, *[events.KeyPressed] * 10,
    *[events.SweepCompleted] * 3, *[events.StackCompleted] * 3, *[events.StackTaken] * 3,
    *[events.FloorDecided] * 5, events.Reported, events.ShoeLinkOpened, events.ShoeLinkLost,
    events.ShoeStated, events.ShuffleFinished, events.DeckReady, events.StubTaken, events.ShoeFaulted,
    events.ShoeFaultCleared, events.CommandDone, events.CommandRefused, events.CircleUnreadable,
    events.AmountEntered, events.FaceEntered, events.CardsSwapped, events.DealerSignedOn,
    events.DealerRelieved, events.DeckBrought, events.RoundCorrected, events.PersonTried,
    events.SettingsChanged, events.Started, events.TimePassed, events.TroubleReported,
    events.FloorOnTheWay,
]  # fmt: skip


def unturned(table: Table) -> set[str]:
    """Return the faces that lie face down, except faces that an open card shows as well."""
    round_ = table.state.round
    if round_ is None:
        return set()
    shown = shown_places(round_)
    open_ = {dealt.face for place, dealt in round_.cards.items() if place in shown}
    known = {dealt.face for dealt in (*round_.cards.values(), *round_.deal.exit)} | set(round_.deal.set_aside)
    return {face for face in known - open_ if face}


FACES = frozenset(DECK)


def faces_in(view: Any) -> set[str]:
    """Return the faces in a view, at any depth. The search is iterative for speed, because the tests search
    ten thousand views."""
    found, left = set(), [view]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            left += each.values()
        elif isinstance(each, list):
            left += each
        elif isinstance(each, str) and each in FACES:
            found.add(each)
    return found


def check_view(table: Table) -> None:
    view = table.view()
    assert not faces_in(view) & unturned(table)
    assert view["prompt"] is not None, view["phase"]
    table.lamps()
    table.watch()
    deadline = table.next_deadline()
    assert deadline is None or isinstance(deadline, int)


def mingled(felt: Felt, dice: random.Random, count: int) -> Iterator[events.Event]:
    """Yield random events mixed with events that advance the round, so that every phase is reached and
    disturbed."""
    sense = dice.choice([0.6, 0.8, 0.95])
    for _ in range(count):
        sane = sane_event(felt, dice) if dice.random() < sense else None
        yield sane or any_event(dice, felt.table.state)


def sane_event(felt: Felt, dice: random.Random) -> events.Event | None:
    """Return an event that people and devices of an honest table could cause now."""
    table, state = felt.table, felt.table.state
    prompt = table.prompt()
    kind = prompt.kind if prompt else ""
    if state.phase is Phase.HELD and state.hold is not None:
        return events.FloorDecided("B1", "outcome", dice.choice(state.hold.outcomes), reason="seen")
    if not state.shoe.up:
        return events.ShoeLinkOpened("M", "1", "1", "a")
    if state.shoe.fault:
        return events.ShoeFaultCleared(state.shoe.fault)
    if kind in ("shuffle_wait", "load_deck"):
        return (
            events.DeckReady(52, "RED") if state.method is not Method.HAND else events.KeyPressed(Key.CONFIRM)
        )
    if kind == "deck_needed":
        return events.DeckBrought("RED", True)
    if kind == "opening_step":
        refused = table.verify(events.KeyPressed(Key.CONFIRM))
        return events.FloorDecided("B1", "sign") if refused else events.KeyPressed(Key.CONFIRM)
    if kind == "bets_open":
        seat = dice.randint(1, 6)
        empty = [w for w in (Wager.ANTE_ACROSS, Wager.ANTE_DOWN) if not state.amount(seat, w)]
        ready = any(table.view()["seats"][s - 1]["circles"]["ante_down"]["amount"] for s in SEATS)
        if ready and dice.random() < 0.3:
            return events.KeyPressed(Key.NO_MORE_BETS)
        return events.CircleRead(seat, empty[0], (felt.chip(1000),)) if empty else None
    return _sane_in_play(felt, dice, prompt)


def _sane_in_play(felt: Felt, dice: random.Random, prompt: Any) -> events.Event | None:
    state, kind = felt.table.state, prompt.kind if prompt else ""
    if kind == "reading_wait" and state.sweep_since is not None:
        return events.SweepCompleted(state.sweep_since)
    if kind in ("cards_wait", "deal_card"):
        full = state.round is not None and len(state.round.deal.exit) >= len(prompt.places)
        known = [face for face in DECK if face not in unturned(felt.table)]
        if kind == "cards_wait" and full:
            return events.StackCompleted(len(prompt.places))
        return events.CardLeftShoe(state.shoe.out + 1, Card(dice.choice(known)))
    if kind == "lift_stack":
        return events.StackTaken()
    if kind in ("take_stub", "deal_hand", "permit_cards"):
        stack = state.method is Method.AUTOMATED_SHOE and kind == "take_stub"
        return events.StubTaken(52 - state.shoe.out) if stack else events.KeyPressed(Key.CONFIRM)
    if kind == "ask" and prompt.seat:
        if dice.random() < 0.2:
            return events.KeyPressed(Key.FOLD)
        return events.CircleRead(prompt.seat, prompt.wager, (felt.chip(prompt.options[0]),))
    if kind in EMPTIED and prompt.seat and prompt.wager:
        if state.holding(prompt.seat, prompt.wager).dead:
            return events.KeyPressed(Key.CONFIRM)
        return events.CircleRead(prompt.seat, prompt.wager, ())
    if kind == "pay":
        chips = state.holding(prompt.seat, prompt.wager).chips
        return events.CircleRead(prompt.seat, prompt.wager, (*chips, felt.chip(prompt.amount)))
    if kind == "enter_amount":
        return events.AmountEntered(prompt.seat, prompt.wager, 1000)
    if kind == "enter_face":
        return events.FaceEntered(prompt.places[0], Card(dice.choice(DECK)))
    if kind == "count_stub":
        return events.Reported(DealerReport.STUB_COUNT, number=prompt.amount)
    return events.KeyPressed(Key.CONFIRM)


def arriving(felt: Felt, dice: random.Random, count: int) -> Iterator[tuple[events.Event, int]]:
    """Yield each event with its time in ms. An expired deadline is applied before the event, as the daemon
    does."""
    ms = felt.ms
    for event in mingled(felt, dice, count):
        ms += dice.choice([0, 1, 1, 5, 400, 1_500, 25_000])
        if (due := felt.table.next_deadline()) is not None and due <= ms:
            yield events.TimePassed(), ms
        yield event, ms


def run(
    felt: Felt, dice: random.Random, count: int, *, only_taken: bool = False
) -> list[tuple[events.Event, events.Stamp]]:
    """Apply random events to a table and check each step; return the events that a journal would contain.
    `only_taken`: leave out events that the table refuses."""
    table, journal = felt.table, []
    for event, ms in arriving(felt, dice, count):
        before, refused = table.state, felt.refused(event)
        if refused is not None and only_taken:
            continue
        effects = table.handle(event, events.Stamp(ms, "2026-11-20T20:00:00.000Z"))
        if refused is None:
            journal.append((event, events.Stamp(ms, "2026-11-20T20:00:00.000Z")))
        assert_step(table, before, event, refused is not None)
        if any(isinstance(effect, Checkpoint) for effect in effects):
            felt.kept()
        felt.records.extend(effect.record for effect in effects if isinstance(effect, WriteRecord))
    return journal


PASSED_THROUGH = (Phase.SHUFFLE, Phase.SETTLEMENT)
"""Phases that a table may enter and leave with one event, because the shoe is already READY or no wager has
to be settled."""


def assert_step(table: Table, before: TableState, event: events.Event, refused: bool) -> None:
    after = table.state
    if after.phase is not before.phase:
        passed = NEXT[before.phase]
        through = {p for first in passed if first in PASSED_THROUGH for p in NEXT[first]}
        assert after.phase in passed or after.phase in through, (event, before.phase, after.phase)
    if before.hold is not None and after.hold != before.hold:
        assert isinstance(event, events.FloorDecided | events.Reported | events.StubTaken), event
    check_judged(after)
    if refused:
        assert (after.round, after.phase) == (before.round, before.phase), event
    check_view(table)


def check_judged(state: TableState) -> None:
    """Check that judging only the circles that may have changed gives the same result as judging all
    circles."""
    twice = duplicate_circles(state)
    wrong = {}
    for seat in SEATS:
        for wager in Wager:
            verdict = judge(state, Circle(seat, wager), twice)
            if verdict is not None:
                wrong[f"{seat}.{wager}"] = verdict.code
    assert {key: code for key, (_, code) in state.suspects.items()} == wrong


@pytest.mark.parametrize(("key", "method"), WAYS)
@settings(max_examples=4, deadline=None)
@given(seed=seeds)
def test_no_order_of_events_breaks_an_invariant(key: str, method: Method, seed: int) -> None:
    """No event raises an error, every phase has its prompt, no hidden face is shown, and every movement of
    chips is recorded."""
    felt = Felt(key, method, shoe_serial="")
    run(felt, random.Random(seed), 150)


def test_random_events_include_every_kind() -> None:
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type) and hasattr(kind, "__slots__")}
    assert kinds - {events.Stamp, events.Chip} == set(MAKERS)


@settings(max_examples=4, deadline=None)
@given(seed=seeds, key=st.sampled_from(PACKS))
def test_replayed_events_give_the_same_state_and_records(seed: int, key: str) -> None:
    """The daemon replays the journalled events when it starts, so they must lead to the same table."""
    felt = Felt(key, shoe_serial="")
    start = felt.table.state
    journal = run(felt, random.Random(seed), 150, only_taken=True)
    again = Table(felt.pack, felt.table.settings, start)
    records = []
    for event, stamp in journal:
        assert again.verify(event) is None
        effects = again.handle(event, stamp)
        records.extend(effect.record for effect in effects if isinstance(effect, WriteRecord))
    kept = replace_version(felt.table.state)
    assert replace_version(again.state) == kept
    assert records == felt.records


def replace_version(state: TableState) -> TableState:
    return replace(state, version=0)


def test_a_state_in_mid_round_is_stored_and_read_back_unchanged() -> None:
    felt = Felt()
    players = Players(felt, random.Random(7))
    players.bet()
    felt.close()
    players.deal()
    while felt.phase is not Phase.SETTLEMENT:
        players.step()
    again = STATE.validate_json(STATE.dump_json(felt.table.state), strict=True)
    assert again == felt.table.state
    assert {f.name for f in fields(again)} == {f.name for f in fields(felt.table.state)}


def test_a_payout_limit_conserves_money() -> None:
    """§ 674a.12(d): the payout is reduced, the wager is not."""
    rules: RulePack = pack("pennsylvania")
    felt = Felt(replace(rules, payout_limit=replace(rules.payout_limit, cents=1000)))
    players = Players(felt, random.Random(3))
    for _ in range(6):
        players.play()
        check_money(felt, players.laid)
        felt.next_round()
