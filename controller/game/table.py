"""State table: which event is allowed in which phase, and the handler of each.

Theory of operation. A table is in one phase. An event arrives (past tense), TABLE gives its handler in that
phase, and the handler writes the new facts into the state. Every circle is judged (`watch.py`), and the
phase's `advance` is called repeatedly until nothing changes: it makes the changes that need no further event,
such as asking the next seat, passing a settled step or ending the round. The new state is assigned once;
after an exception the old one remains. An event of a device that is not allowed in the phase is an
irregularity (`unexpected`) and never dropped silently; a person's event is refused with the reason before it
is written (`verify`).

Only `model/transition.py` enters, changes and leaves `held`. A phase that NEXT does not allow cannot be
entered.

There is no clock here: time comes with each event, and `next_deadline` returns the time of the next
`TimePassed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.game.books import stacks
from controller.game.model import events
from controller.game.model.effects import Effect
from controller.game.model.evolve import evolve
from controller.game.model.names import BETWEEN, DECIDING, IN_PLAY, PLAYING, Circle, Key, Phase
from controller.game.model.rules import RulePack
from controller.game.model.state import Context, TableSettings, TableState
from controller.game.model.transition import Transition
from controller.game.phases import (
    betting,
    corrections,
    dealing,
    decisions,
    deck,
    duplicates,
    floor,
    journal_loss,
    lockout,
    on_the_way,
    people_entries,
    reports,
    settlement,
    shoe,
    shoe_trust,
    start,
    stub,
    subjects,
    undo,
    unprompted,
    voiding,
)  # fmt: skip
from controller.game.phases.deck_age import change_deadline
from controller.game.rulebook.wagers import Refusal
from controller.game.showing import lamp_states, prompt_answers, prompt_id, prompts, public, rules_view
from controller.game.showing.lamps import LampState
from controller.game.showing.view import View
from controller.game.watching import balance, readers_lost, watch

P = Phase
Handler = Callable[[Transition, Any], None]
Verifier = Callable[[TableState, Context], Refusal | None]


def _row(*parts: tuple[tuple[Phase, ...], Handler]) -> dict[Phase, Handler]:
    return {phase: handler for phases, handler in parts for phase in phases}


def _always(_state: TableState, _context: Context) -> None:
    return None


ALWAYS = tuple(Phase)

# event                  phases -> handler; a missing phase has no entry
TABLE: Mapping[type, Mapping[Phase, Handler]] = {
    events.CardLeftShoe: _row(
        ((P.DEALING,), dealing.card),
        (PLAYING, dealing.card_late),
        ((P.HELD,), dealing.card_held),
        ((P.VOID,), dealing.card_in_void),
        ((*BETWEEN, P.BETTING), dealing.card_early),
    ),
    events.StackCompleted: _row(
        ((P.DEALING,), dealing.stack), ((P.HELD,), dealing.stack_held), ((P.VOID,), dealing.ignore)
    ),
    events.StackTaken: _row(
        ((P.DEALING,), dealing.taken), ((P.HELD,), dealing.taken_held), ((P.VOID, *BETWEEN), dealing.ignore)
    ),
    events.StubTaken: _row(
        ((P.DEALING,), stub.taken),
        (PLAYING, stub.taken_late),
        ((P.HELD,), stub.taken_held),
        ((P.VOID, *BETWEEN), dealing.ignore),
    ),
    events.DeckReady: _row((ALWAYS, shoe.deck_ready)),
    events.ShuffleFinished: _row((ALWAYS, shoe.shuffle_finished)),
    events.ShoeStated: _row((ALWAYS, shoe.state_reported)),
    events.ShoeLinkOpened: _row((ALWAYS, shoe.link_opened)),
    events.ShoeLinkLost: _row((ALWAYS, shoe.link_lost)),
    events.ShoeFaulted: _row((ALWAYS, shoe.fault_reported)),
    events.ShoeFaultCleared: _row((ALWAYS, shoe.fault_cleared)),
    events.CommandDone: _row((ALWAYS, deck.device_done)),
    events.CommandRefused: _row((ALWAYS, shoe.command_refused)),
    events.CircleRead: _row((ALWAYS, watch.read)),
    events.CircleUnreadable: _row((ALWAYS, watch.unreadable)),
    events.SweepCompleted: _row((ALWAYS, betting.swept)),
    events.TimePassed: _row((ALWAYS, unprompted.time_passed)),
    events.Started: _row((ALWAYS, start.started)),
    events.SettingsChanged: _row((ALWAYS, start.changed)),
    events.TroubleReported: _row((ALWAYS, unprompted.trouble_reported)),
    events.AmountEntered: _row(((P.BETTING, *IN_PLAY), people_entries.amount_entered)),
    events.FaceEntered: _row((IN_PLAY, people_entries.face_entered)),
    events.Reported: _row(((*IN_PLAY, P.HELD, P.BETTING, *BETWEEN), reports.reported)),
    events.CardsSwapped: _row((IN_PLAY, reports.swapped)),
    events.DealerSignedOn: _row((ALWAYS, people_entries.signed_on)),
    events.DealerRelieved: _row((ALWAYS, people_entries.relieved)),
    events.FloorDecided: _row((ALWAYS, floor.decided)),
    events.FloorOnTheWay: _row((ALWAYS, on_the_way.record_answer)),
    events.RoundCorrected: _row((ALWAYS, floor.corrected)),
    events.PersonTried: _row((ALWAYS, lockout.record_attempt)),
    events.DeckBrought: _row(((*BETWEEN, P.BETTING), deck.deck_brought)),
}

# key                    phase -> (check whether it may be pressed, handler)
KEY_HANDLERS: Mapping[Key, Mapping[Phase, tuple[Verifier, Handler]]] = {
    Key.NO_MORE_BETS: {P.BETTING: (betting.verify_no_more_bets, betting.press_no_more_bets)},
    Key.FOLD: dict.fromkeys(DECIDING, (decisions.verify_fold, decisions.fold)),
    Key.CONFIRM: {
        P.CLOSED: (_always, deck.open_table),
        P.BETTING: (deck.verify_covered, deck.device_covered),
        P.OPENING: (deck.verify_step, deck.confirm_step),
        P.SHUFFLE: (deck.verify_shuffled, deck.shuffled_by_hand),
        P.DEALING: (dealing.verify_confirm, dealing.confirm),
        **dict.fromkeys(DECIDING, (decisions.verify_confirm, decisions.confirm)),
        P.SETTLEMENT: (settlement.verify_confirm, settlement.confirm),
        P.CLEARING: (settlement.verify_cleared, deck.cards_cleared),
        P.VOID: (voiding.verify_confirm, voiding.confirm),
    },
    Key.UNDO: dict.fromkeys((P.BETTING, *IN_PLAY), (undo.verify, undo.undo)),
    Key.FLOOR: dict.fromkeys(ALWAYS, (unprompted.verify_call, unprompted.call_floor)),
}

# phase                  changes without a further event
ADVANCE: Mapping[Phase, Callable[[Transition], None]] = {
    P.OPENING: deck.advance_opening,
    P.SHUFFLE: deck.advance_shuffle,
    P.BETTING: betting.advance,
    P.DEALING: dealing.advance,
    P.ACROSS: decisions.advance,
    P.DOWN: decisions.advance,
    P.MIDDLE: decisions.advance,
    P.SETTLEMENT: settlement.advance,
    P.VOID: voiding.advance,
}

STOPPING_PHASES = (P.HELD, P.VOID, P.CLEARING)
"""Phases that end play: the round is held; a floorperson voids it; or it is over at once if no chips are in
play."""

# phase                  phases that may follow, as `crisscross states` prints them
NEXT: Mapping[Phase, tuple[Phase, ...]] = {
    P.CLOSED: (P.OPENING, P.HELD),
    P.OPENING: (P.SHUFFLE, P.CLOSED, P.HELD),
    P.SHUFFLE: (P.BETTING, P.OPENING, P.CLOSED, P.HELD),
    P.BETTING: (P.DEALING, P.SHUFFLE, P.OPENING, P.CLOSED, P.HELD),
    P.DEALING: (P.ACROSS, P.BETTING, *STOPPING_PHASES),
    P.ACROSS: (P.DOWN, P.SETTLEMENT, *STOPPING_PHASES),
    P.DOWN: (P.MIDDLE, P.SETTLEMENT, *STOPPING_PHASES),
    P.MIDDLE: (P.SETTLEMENT, *STOPPING_PHASES),
    P.SETTLEMENT: STOPPING_PHASES,
    P.CLEARING: (P.SHUFFLE, P.OPENING, P.CLOSED, P.HELD),
    P.HELD: (P.VOID, P.CLEARING, *(p for p in Phase if p not in (P.HELD, P.VOID, P.CLEARING))),
    P.VOID: (P.CLEARING,),
}

PEOPLE: Mapping[type, Callable[[TableState, Context, Any], Refusal | None]] = {
    events.AmountEntered: people_entries.verify_amount,
    events.FaceEntered: people_entries.verify_face,
    events.Reported: reports.verify_report,
    events.CardsSwapped: reports.verify_swap,
    events.DeckBrought: deck.verify_brought,
    events.FloorDecided: floor.verify,
    events.FloorOnTheWay: on_the_way.verify,
    events.RoundCorrected: corrections.verify,
}

FROM_DEALERS = frozenset((
    events.KeyPressed, events.AmountEntered, events.FaceEntered, events.Reported, events.CardsSwapped,
    events.DealerRelieved, events.DeckBrought,
))  # fmt: skip
"""Events accepted only while a dealer is signed on, as are the keys except FLOOR."""
FROM_PEOPLE = FROM_DEALERS | {
    events.DealerSignedOn, events.FloorDecided, events.FloorOnTheWay, events.RoundCorrected
}  # fmt: skip
"""Events that a person causes: a touch or a key, refused if the rules do not permit it now."""

NEVER = events.Stamp(0, "")
MAX_JUDGEMENTS = 3
"""Maximum number of judgements per event. Three suffice: after a step is passed, after this ends a
difference, and after the step that waited for that end is passed.
"""


class Table:
    """One table: its rules, its settings and its present state. It handles one event at a time; only one
    thread may call it."""

    def __init__(
        self,
        pack: RulePack,
        settings: TableSettings,
        state: TableState | None = None,
        at: events.Stamp = NEVER,
    ) -> None:
        """`at`: time of the last event before the state, if known."""
        self.pack = pack
        self.settings = settings
        self.state = state or TableState(method=settings.method)
        self._context = self.context(at)
        """Context of the last event; a query between two events is answered as of that event."""
        self._lit: tuple[TableState, Mapping[Circle, LampState]] | None = None
        self._rules: tuple[RulePack, TableSettings, rules_view.Rules] | None = None

    def context(self, at: events.Stamp) -> Context:
        return Context(self.pack, self.settings, at.ms, at.utc)

    def verify(self, event: events.Event) -> Refusal | None:
        """Return the refusal of a person's event now, or None. Events of devices are never refused."""
        return refusal_of(self.state, self._context, event)

    def handle(self, event: events.Event, at: events.Stamp) -> list[Effect]:
        """Handle one event and return its effects. The state is assigned once, at the end. An event that
        `verify` refuses changes nothing."""
        self._context = self.context(at)
        play = Transition(self.state, self._context, NEXT)
        _dispatch(play, event)
        acted = play.state
        duplicates.hold_duplicate(play, self.state)
        deck.check_age(play)
        shoe_trust.check_trust(play)
        journal_loss.check_shortened(play)
        _follow(play, self.state)
        balance.hold_unbalanced(play, self.state)
        stacks.keep_stacks(play, self.state)
        undo.drop_final(play, self.state, acted)
        changed = on_the_way.with_times(subjects.with_revisions(self.state, play.state), at.utc)
        asked = prompt_id.with_prompt(changed, prompts.prompt(changed, self._context))
        self.state = evolve(asked, version=asked.version + 1)
        return play.effects

    def next_deadline(self) -> int | None:
        """Return the time at which `TimePassed` is due, in ms of the table's clock; None if there is no
        deadline."""
        context = self._context
        times = [
            readers_lost.deadline(self.state), change_deadline(self.state, context),
            decisions.confirmed_at(self.state, context),
        ]  # fmt: skip
        if self.state.phase is Phase.DEALING:
            times.append(dealing.deadline(Transition(self.state, context, NEXT)))
        return min((time for time in times if time is not None), default=None)

    def watch(self) -> tuple[Circle, ...]:
        """Return the circles to read first: those where a movement is due or suspected."""
        return (*lamp_states.due_circles(self.state, self._context), *watch.suspected_circles(self.state))

    def sweep_since(self) -> int | None:
        """Return the time (ms) after which a reading of every circle must begin; None if no sweep is
        requested."""
        return None if self.state.swept else self.state.sweep_since

    def lamps(self) -> Mapping[Circle, LampState]:
        """Return the state of the lamps; computed once per state."""
        if self._lit is None or self._lit[0] is not self.state:
            self._lit = self.state, lamp_states.lamp_states(self.state, self._context)
        return self._lit[1]

    def prompt(self) -> prompts.Prompt | None:
        return prompts.prompt(self.state, self._context)

    def prompt_id(self) -> str:
        """Return the id of the prompt, by which a touch names it."""
        return prompt_id.identity(self.state, self.prompt())

    def view(self, *, exam: bool = False) -> View:
        """Return all data that may leave the table, JSON-able. `exam`: without the answers that the dealer
        has to know."""
        context = self._context
        keys = {key: key_refusal(self.state, context, key) for key in Key}
        return public.view(self.state, context, self._rules_view(context), keys, self.lamps(), exam=exam)

    def _rules_view(self, context: Context) -> rules_view.Rules:
        """Return the part of the view that depends on the rules only; computed once per rules and
        settings.
        """
        pack, settings = context.pack, context.settings
        if self._rules is None or self._rules[0] is not pack or self._rules[1] is not settings:
            self._rules = pack, settings, rules_view.rules_view(pack, settings)
        return self._rules[2]


def key_refusal(state: TableState, context: Context, key: Key) -> Refusal | None:
    """Return why a key has no effect now, or None. The key, its lamp and its copy on the screen all use this
    function."""
    if key is not Key.FLOOR and (refusal := people_entries.missing_dealer(state, context)):
        return refusal
    entry = KEY_HANDLERS[key].get(state.phase)
    if entry is None:
        return Refusal("not_now", "")
    return entry[0](state, context)


def refusal_of(state: TableState, context: Context, event: events.Event) -> Refusal | None:
    """Return why a person's event is refused now; None if it is accepted, and for events of devices."""
    answered = getattr(event, "prompt", None)
    if answered is not None:
        prompt = prompts.prompt(state, context)
        if answered != prompt_id.identity(state, prompt) or not prompt_answers.answers(state, prompt, event):
            return Refusal("stale", "")
    if refusal := subjects.refusal(state, context, event):
        return refusal
    if isinstance(event, events.KeyPressed):
        return _of_key(state, context, event)
    if type(event) not in FROM_PEOPLE:
        return None
    if type(event) in FROM_DEALERS and (refusal := people_entries.missing_dealer(state, context)):
        return refusal
    if state.phase not in TABLE[type(event)]:
        return Refusal("not_now", "")
    verifier = PEOPLE.get(type(event))
    return verifier(state, context, event) if verifier else None


def _of_key(state: TableState, context: Context, event: events.KeyPressed) -> Refusal | None:
    """Return the refusal of a key, or None. A physical key names no prompt: even if it is pressed while the
    screen's key is dark, it counts as the dealer's act."""
    if unprompted.ends_waits(state, context, event):
        return None
    refusal = key_refusal(state, context, event.key)
    return None if refusal and refusal.code == settlement.NOT_YET and event.prompt is None else refusal


def _dispatch(play: Transition, event: events.Event) -> None:
    if type(event) in FROM_PEOPLE and refusal_of(play.state, play.context, event) is not None:
        return
    if isinstance(event, events.KeyPressed):
        KEY_HANDLERS[event.key][play.state.phase][1](play, event)
        return
    handler = TABLE[type(event)].get(play.state.phase)
    if handler is None:
        unprompted.unexpected(play, event)
    else:
        handler(play, event)


def _follow(play: Transition, before: TableState) -> None:
    """Judge the circles, then advance, and judge again after each change, until judging changes nothing. The
    order ensures that a difference is found before a step is passed with the same event, and that play
    continues once the difference is over."""
    watch.review(play, before)
    for _ in range(MAX_JUDGEMENTS):
        reviewed = play.state
        _advance(play)
        followed = play.state
        if followed is not reviewed:
            watch.review(play, reviewed)
        if play.state is followed:
            return


def _advance(play: Transition) -> None:
    """Advance until the phase no longer changes."""
    while True:
        phase = play.state.phase
        step = ADVANCE.get(phase)
        if step is not None:
            step(play)
        if play.state.phase is phase:
            return
