"""The steps that a scenario can have, each as named in tests/scenarios/FORMAT.md.

Money is in whole cents, times in milliseconds. A missing key is None. `run.py` carries steps out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, PlainValidator, TypeAdapter, model_validator

from controller.common.files.forms import Flag, Form, validation_error, whole_number
from controller.game.model.names import (
    ANTES,
    BETS,
    BONUS_PLACES,
    CROSS,
    Circle,
    Key,
    Method,
    Phase,
    Place,
    Wager,
)
from controller.game.model.side_bets import BONUSES
from controller.mock.bench.device_requests import READER_FAULTS, SHOE_FAULTS, CardToken, FaultRequest
from controller.mock.scenario import values
from controller.mock.scenario.expect import Expect
from controller.mock.scenario.touches import Enter, FloorForm, ReportForm
from controller.mock.scenario.values import (
    Amount,
    AmountLaid,
    Cents,
    DecisionMade,
    Fold,
    Milliseconds,
    OnlyTrue,
    PlayerDecision,
    SeatNumber,
    Seconds,
    StrictForm,
    Text,
    WagerName,
    one_of,
    with_keys,
)
from controller.pages.display.touches import Badge, Deck, Relieve, SignOn, Touch

LAID_BEFORE = (*ANTES, *BONUSES)


class SeatPlan(StrictForm):
    """Plan of one seat in a round. A wager that is not named is not laid before the close. A decision that is
    not named is a bet of one ante.
    """

    cards: Annotated[tuple[CardToken, ...], values.card_list(2)] = ()
    ante: AmountLaid | None = None

    @property
    def laid(self) -> Mapping[Wager, Amount]:
        antes = dict.fromkeys(ANTES, self.ante) if self.ante else {}
        return antes | _named(self, LAID_BEFORE)

    @property
    def decisions(self) -> Mapping[Wager, PlayerDecision]:
        return _named(self, BETS)

    @model_validator(mode="after")
    def _a_fold_ends_it(self) -> Self:
        made = list(self.decisions.items())
        for number, (bet, decided) in enumerate(made):
            if isinstance(decided, Fold) and number + 1 < len(made):
                raise validation_error(
                    [((made[number + 1][0],), f"the seat has folded on {bet}; leave it out")]
                )
        return self


def _named(form: Form, wagers: tuple[Wager, ...]) -> dict[Wager, Any]:
    return {wager: getattr(form, wager) for wager in wagers if wager in form.model_fields_set}


_Plan = with_keys(SeatPlan, dict.fromkeys(LAID_BEFORE, AmountLaid) | dict.fromkeys(BETS, DecisionMade))


def _until(word: str) -> Phase | None:
    """Return the phase, or None for `settled`, which is the end of the settlement and not a phase."""
    return None if word == "settled" else Phase(word)


class RoundStep(StrictForm):
    cross: Annotated[Mapping[Place, CardToken], values.cards_by_place(CROSS)] = {}
    bonus: Annotated[Mapping[Place, CardToken], values.cards_by_place(BONUS_PLACES)] = {}
    seats: Mapping[SeatNumber, Annotated[SeatPlan, PlainValidator(_Plan.model_validate)]] = {}
    until: Annotated[Phase | None, one_of(("settled", *Phase)), AfterValidator(_until)] = None
    """Phase at which the step ends; None: settled, when the record is written."""
    method: Annotated[Method, one_of(Method)] | None = None
    stub: Annotated[int, whole_number(0, 52)] | None = None

    @model_validator(mode="after")
    def _require_player(self) -> Self:
        if "seats" not in self.model_fields_set and self.until is not Phase.BETTING:
            raise ValueError("seats is needed: a seat that lays antes, {3: {ante: 10}} say")
        return self


def _nothing_left(cents: int) -> bool:
    if cents:
        raise ValueError("allowed: 0, which clears the seat")
    return True


class ChipsStep(StrictForm):
    seat: SeatNumber
    clear: Annotated[Cents, AfterValidator(_nothing_left)] = Field(default=False, alias="all")

    @property
    def circles(self) -> Mapping[Wager, Amount]:
        return _named(self, tuple(Wager))

    @model_validator(mode="after")
    def _some_circle(self) -> Self:
        if not self.circles and not self.clear:
            raise ValueError(f"name a circle; allowed: all, {', '.join(Wager)}")
        return self


_Chips = with_keys(ChipsStep, dict.fromkeys(Wager, AmountLaid))


class PassingStep(StrictForm):
    """Chips in a stack or rack that is carried over circles: the readers detect them for `seconds`."""

    seat: SeatNumber
    seconds: Seconds = 0.3

    @property
    def circles(self) -> Mapping[Wager, Amount]:
        return _named(self, tuple(Wager))

    @model_validator(mode="after")
    def _some_circle(self) -> Self:
        if not self.circles:
            raise ValueError(f"name a circle; allowed: {', '.join(Wager)}")
        return self


_Passing = with_keys(PassingStep, dict.fromkeys(Wager, AmountLaid))


_CIRCLE = TypeAdapter(tuple[SeatNumber, WagerName])


def _circle(given: Any) -> Circle:
    if not isinstance(given, list) or len(given) != 2:
        raise ValueError("allowed: [seat, circle]")
    return Circle(*_CIRCLE.validate_python(tuple(given)))


def _named_chips(amount: Amount) -> tuple[int, ...]:
    if not amount.chips or amount.strange:
        raise ValueError("allowed: the values of chips, [25, 5]")
    return amount.chips


class CarryStep(StrictForm):
    """Chips of `chips` cents that a hand carries from one circle to another."""

    out_of: Annotated[Circle, PlainValidator(_circle)] = Field(alias="from")
    into: Annotated[Circle, PlainValidator(_circle)] = Field(alias="to")
    chips: Annotated[tuple[int, ...], PlainValidator(values.amount), AfterValidator(_named_chips)]

    @property
    def circles(self) -> tuple[Wager, ...]:
        return self.out_of.wager, self.into.wager


def _device(given: Any) -> Circle | Literal["all"] | None:
    """Return the circle of a reader, `all` for all readers, or None for the shoe."""
    if isinstance(given, list) and len(given) == 2:
        return _circle(given)
    if str(given).lower() == "readers":
        return "all"
    if str(given).lower() != "shoe":
        raise ValueError("allowed: shoe, readers, or [seat, circle]")
    return None


class _Fault(StrictForm):
    device: Annotated[Circle | Literal["all"] | None, PlainValidator(_device)]
    kind: Text
    after: Annotated[int, whole_number(1, 52)] | None = None

    @model_validator(mode="after")
    def _of_the_device(self) -> Self:
        kinds = SHOE_FAULTS if self.device is None else READER_FAULTS
        if self.kind.lower() not in kinds:
            raise validation_error([(("kind",), f"allowed: {', '.join(kinds)}")])
        if self.device is not None and self.after is not None:
            raise validation_error([(("after",), "of a shoe only, it counts cards")])
        return self


def _fault(given: Any) -> FaultRequest:
    """Return the fault of the shoe, of the reader [seat, circle], or of all readers."""
    found = _Fault.model_validate(given)
    return FaultRequest(found.device, found.kind.lower(), found.after)


class DeckStep(StrictForm):
    back: Annotated[str, one_of(("red", "blue"))] | None = None
    preshuffled: Flag = False
    same: Flag = False
    count: Annotated[int, whole_number(0, 99)] | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError(self.allowed_keys())
        if self.preshuffled and not self.touch:
            raise validation_error([(("preshuffled",), "a deck that is brought has a back, or is the same")])
        return self

    @property
    def touch(self) -> Deck | None:
        """Return the touch that announces the deck, or None if the step brings none."""
        if self.back or self.same:
            return Deck(back=self.back, same=self.same, preshuffled=self.preshuffled)
        return None


@dataclass(frozen=True, slots=True)
class ClockStep:
    """Time in ms by which a step moves both clocks forward (`both_ms`), or shifts the UTC clock alone
    (`utc_ms`).
    """

    both_ms: int = 0
    utc_ms: int = 0


_FORWARD = TypeAdapter(Milliseconds)


class _Utc(StrictForm):
    utc: Milliseconds


def _clock(given: Any) -> ClockStep:
    if isinstance(given, dict):
        return ClockStep(utc_ms=_Utc.model_validate(given).utc)
    if (forward := _FORWARD.validate_python(given)) < 0:
        raise ValueError("the table's clocks go forward only; {utc: -1h} sets the UTC clock alone")
    return ClockStep(both_ms=forward)


BESIDE = {"round": ("until", "method", "stub"), "expect": ("within",)}
"""Keys of a step that may also be written at the same level as the step."""


class Action(StrictForm):
    """Action of one step: exactly one of these keys."""

    null = ("round",)

    round: RoundStep | None = None
    dealer: Flag | None = None
    chips: Annotated[ChipsStep | None, PlainValidator(_Chips.model_validate)] = None
    passing: Annotated[PassingStep | None, PlainValidator(_Passing.model_validate)] = None
    carry: CarryStep | None = None
    relieve: OnlyTrue = False
    sign_on: Badge | None = None
    shoe: Annotated[tuple[CardToken, ...] | None, values.card_list(52, up_allowed=True)] = None
    press: Annotated[Key, one_of(Key)] | None = None
    report: ReportForm | None = Field(default=None, repr=False)
    enter: Enter | None = Field(default=None, repr=False)
    floor: FloorForm | None = None
    fault: Annotated[FaultRequest | None, PlainValidator(_fault)] = None
    deck: DeckStep | None = None
    clock: Annotated[ClockStep | None, PlainValidator(_clock)] = None
    cut_power: OnlyTrue = False
    wait: Seconds | None = None
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
            raise ValueError(f"a step is one mapping with one main key; {self.allowed_keys()}")
        return self

    @property
    def touch(self) -> Touch | None:
        """Return the touch of the dealer's screen or the floor page, or None. Keys on the table are not
        touches."""
        if self.relieve:
            return Relieve()
        if self.sign_on:
            return SignOn(number=self.sign_on)
        return self.floor.touch if self.floor else self.report or self.enter


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a scenario, with its line in the file."""

    line: int
    action: Action
    words: str = ""
    """The step on one line as in the file, for the output."""

    @property
    def name(self) -> str:
        """Return the main key of the step."""
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
    """Line in the file of each key of `config`, and under "" the line of the rule pack."""
    section: tuple[str, ...] = ()
    """Sections of the rule text that the scenario demonstrates."""
