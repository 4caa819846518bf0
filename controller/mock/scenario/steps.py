"""The steps of a scenario file, each as tests/scenarios/FORMAT.md names it.

Money in whole cents, times in milliseconds. A key that is not given is None. No step knows how it is
played; see `run.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, model_validator

from controller.files.forms import Flag, Form, wrong
from controller.game.model.names import (
    ANTES,
    BETS,
    BONUS_PLACES,
    BONUSES,
    CROSS,
    Circle,
    Key,
    Method,
    Phase,
    Place,
    Wager,
)
from controller.mock.bench.asked import READER_FAULTS, SHOE_FAULTS, CardToken, Fault
from controller.mock.scenario import touches, values
from controller.mock.scenario.expect import Expect
from controller.mock.scenario.touches import Body, Floor
from controller.mock.scenario.values import Amount, Decision, Fold, Seat, Text, Told, one_of, whole, with_keys

LAID_BEFORE = (*ANTES, *BONUSES)


class SeatPlan(Form):
    """What one seat holds and does in a round. A wager that is not named: nothing is laid before the
    close; at a decision the simplest legal bet, once the ante."""

    cards: Annotated[tuple[CardToken, ...], PlainValidator(values.cards(2))] = ()
    ante: Annotated[Amount | None, PlainValidator(values.amount)] = None

    @property
    def laid(self) -> Mapping[Wager, Amount]:
        antes = dict.fromkeys(ANTES, self.ante) if self.ante else {}
        return antes | _named(self, LAID_BEFORE)

    @property
    def decisions(self) -> Mapping[Wager, Decision]:
        return _named(self, BETS)

    @model_validator(mode="after")
    def _a_fold_ends_it(self) -> Self:
        made = list(self.decisions.items())
        for number, (bet, decided) in enumerate(made):
            if isinstance(decided, Fold) and number + 1 < len(made):
                raise wrong([((made[number + 1][0],), f"the seat has folded on {bet}; leave it out")])
        return self


def _named(form: Form, wagers: tuple[Wager, ...]) -> dict[Wager, Any]:
    return {wager: getattr(form, wager) for wager in wagers if wager in form.model_fields_set}


_Plan = with_keys(SeatPlan, dict.fromkeys(LAID_BEFORE, values.amount) | dict.fromkeys(BETS, values.decision))


def _until(given: Any) -> Phase | None:
    """`settled` is no phase: the record is written."""
    word = one_of(("settled", *Phase))(given)
    return None if word == "settled" else Phase(word)


class RoundStep(Form):
    cross: Annotated[Mapping[Place, CardToken], PlainValidator(values.places(CROSS))] = {}
    bonus: Annotated[Mapping[Place, CardToken], PlainValidator(values.places(BONUS_PLACES))] = {}
    seats: Mapping[Seat, Annotated[SeatPlan, PlainValidator(_Plan.model_validate)]] = {}
    until: Annotated[Phase | None, PlainValidator(_until)] = None
    """None: settled, the record is written."""
    method: Annotated[Method | None, PlainValidator(one_of(Method))] = None
    stub: Annotated[int | None, PlainValidator(whole(0, 52))] = None

    @model_validator(mode="after")
    def _somebody_plays(self) -> Self:
        if "seats" not in self.model_fields_set and self.until is not Phase.BETTING:
            raise ValueError("seats is needed: a seat that lays antes, {3: {ante: 10}} say")
        return self


def _nothing_left(given: Any) -> bool:
    if values.cents(given) != 0:
        raise ValueError("allowed: 0, which clears the seat")
    return True


class ChipsStep(Form):
    seat: Seat
    clear: Annotated[bool, PlainValidator(_nothing_left)] = Field(default=False, alias="all")

    @property
    def circles(self) -> Mapping[Wager, Amount]:
        return _named(self, tuple(Wager))

    @model_validator(mode="after")
    def _some_circle(self) -> Self:
        if not self.circles and not self.clear:
            raise ValueError(f"name a circle; allowed: all, {', '.join(Wager)}")
        return self


_Chips = with_keys(ChipsStep, dict.fromkeys(Wager, values.amount))


def _device(given: Any) -> Circle | None:
    if isinstance(given, list) and len(given) == 2:
        return Circle(values.seat(given[0]), one_of(Wager)(given[1]))
    if str(given).lower() != "shoe":
        raise ValueError("allowed: shoe, or [seat, circle]")
    return None


class _Fault(Form):
    device: Annotated[Circle | None, PlainValidator(_device)]
    kind: Text
    after: Annotated[int | None, PlainValidator(whole(1, 52))] = None

    @model_validator(mode="after")
    def _of_the_device(self) -> Self:
        kinds = SHOE_FAULTS if self.device is None else READER_FAULTS
        if self.kind.lower() not in kinds:
            raise wrong([(("kind",), f"allowed: {', '.join(kinds)}")])
        if self.device is not None and self.after is not None:
            raise wrong([(("after",), "of a shoe only, it counts cards")])
        return self


def _fault(given: Any) -> Fault:
    """Of the shoe, or of the reader [seat, circle]."""
    found = _Fault.model_validate(given)
    return Fault(found.device, found.kind.lower(), found.after)


class DeckStep(Form):
    back: Annotated[str | None, PlainValidator(one_of(("red", "blue")))] = None
    preshuffled: Flag = False
    same: Flag = False
    count: Annotated[int | None, PlainValidator(whole(0, 99))] = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError(self.keys())
        return self


@dataclass(frozen=True, slots=True)
class Clock:
    """How far both clocks go forward, and the UTC clock alone."""

    both_ms: int = 0
    utc_ms: int = 0


class _Utc(Form):
    utc: Annotated[int, PlainValidator(values.milliseconds)]


def _clock(given: Any) -> Clock:
    if isinstance(given, dict):
        return Clock(utc_ms=_Utc.model_validate(given).utc)
    if (forward := values.milliseconds(given)) < 0:
        raise ValueError("the table's clocks go forward only; {utc: -1h} sets the UTC clock alone")
    return Clock(both_ms=forward)


BESIDE = {"round": ("until", "method", "stub"), "expect": ("within",)}
"""Keys of a step that may also stand beside it."""


class Action(Form):
    """What one step does: one of these and no other."""

    round: RoundStep | None = None
    dealer: Flag | None = None
    chips: Annotated[ChipsStep | None, PlainValidator(_Chips.model_validate)] = None
    shoe: Annotated[tuple[CardToken, ...] | None, PlainValidator(values.cards(52, up_allowed=True))] = None
    press: Annotated[Key | None, PlainValidator(one_of(Key))] = None
    report: Annotated[Body | None, PlainValidator(touches.report)] = Field(default=None, repr=False)
    enter: Annotated[Body | None, PlainValidator(touches.enter)] = Field(default=None, repr=False)
    floor: Floor | None = None
    fault: Annotated[Fault | None, PlainValidator(_fault)] = None
    deck: DeckStep | None = None
    clock: Annotated[Clock | None, PlainValidator(_clock)] = None
    cut_power: Told = False
    wait: Annotated[float | None, PlainValidator(values.seconds)] = None
    expect: Expect | None = None

    @model_validator(mode="before")
    @classmethod
    def _beside(cls, given: Any) -> Any:
        main = next((name for name in BESIDE if isinstance(given, dict) and name in given), None)
        if main is None:
            return given
        beside = {key: value for key, value in given.items() if key in BESIDE[main]}
        inside = {} if given[main] is None else given[main]
        rest = {key: value for key, value in given.items() if key not in beside}
        return rest | {main: {**inside, **beside} if isinstance(inside, dict) else inside}

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"a step is one mapping with one main key; {self.keys()}")
        return self

    @property
    def touch(self) -> Body | None:
        """What the dealer's screen or the floor page sends."""
        if self.press is not None:
            return {"do": "press", "key": str(self.press)}
        return self.floor.body if self.floor else self.report or self.enter


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the list: where it stands, what it does."""

    line: int
    action: Action
    words: str = ""
    """The step as the file has it, on one line: what is printed."""

    @property
    def name(self) -> str:
        """Its main key."""
        (name,) = self.action.model_fields_set
        return name


@dataclass(frozen=True, slots=True)
class Scenario:
    """One document of a file under one rule pack."""

    file: str
    line: int
    name: str
    rules: str
    config: Mapping[str, Any]
    steps: tuple[Step, ...]
    config_lines: Mapping[str, int] = field(default_factory=dict)
    """Where each key of `config` stands, and under "" where the rules are named."""
    section: tuple[str, ...] = ()
    """The sections of the text that it shows."""
