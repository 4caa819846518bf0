"""Who decides: a PIN proves a person, and nothing else does where the table is a real one.

Every try is written down, by a name and never by what was typed, and wrong ones wait longer and longer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from controller.display.ports import Refused
from controller.game.model.events import (
    DealerRelieved,
    DealerSignedOn,
    KeyPressed,
    PeopleEvent,
    PersonTried,
    TimePassed,
)
from controller.game.model.names import Key
from controller.game.phases import identity
from controller.game.phases.identity import FIRST_MS, FREE, LONGEST_MS, wait_ms
from controller.mock.bench.options import PIN, PIN_HASH
from controller.people.register import Person
from controller.runtime.authenticate_event import authenticate_event
from controller.runtime.authenticator import Authenticator
from tests.game.felt import Felt

PEOPLE = {
    "4711": Person(name="F-07", roles=["floorperson"], pin=PIN_HASH),
    "4712": Person(name="F-08", roles=["floorperson"]),
}
WRONG = "9999"


@dataclass
class Entrance:
    """The authenticator of a table, and what stands in its journal."""

    open_: bool = False
    people: dict[str, Person] = field(default_factory=lambda: PEOPLE)
    felt: Felt = field(default_factory=Felt)
    written: list[PersonTried] = field(default_factory=list)
    disk_full: bool = False

    def __post_init__(self) -> None:
        self.authenticator = Authenticator(self.people, self._early, self._tell, open_=self.open_)

    def _early(self, who: str, channel: str) -> bool:
        return identity.waits(self.felt.table.state, who, channel, self.felt.ms)

    async def _tell(self, event: PersonTried) -> bool:
        if not self.disk_full:
            self.written.append(event)
            self.felt.event(event)
        return not self.disk_full

    def tries(self, typed: str, pin: str | None, channel: str = "screen") -> str | None:
        return asyncio.run(self.authenticator.authenticate(typed, pin, channel))


@pytest.fixture
def at() -> Entrance:
    return Entrance()


@pytest.mark.parametrize(
    ("typed", "pin", "name"),
    [
        ("4711", PIN, "F-07"),
        ("4711", WRONG, None),
        ("4711", None, None),
        ("4712", PIN, None),
        ("4712", None, None),
        ("F-07", PIN, None),
        ("ZZZ", PIN, None),
        ("ZZZ", "0000", None),
        ("ZZZ", None, None),
    ],
)
def test_on_a_real_table_it_takes_the_pin(
    at: Entrance, typed: str, pin: str | None, name: str | None
) -> None:
    assert at.tries(typed, pin) == name


@pytest.mark.parametrize(
    ("typed", "pin", "name"),
    [("4711", None, "F-07"), ("B1", None, "B1"), ("4711", PIN, "F-07"), ("4711", WRONG, None)],
)
def test_a_mock_table_believes_a_badge_and_no_wrong_pin(typed: str, pin: str | None, name: str) -> None:
    assert Entrance(open_=True).tries(typed, pin) == name


# ------------------------------------------------------------------ who deals

LISTED = {**PEOPLE, "812": Person(name="D-12", roles=["dealer"], pin=PIN_HASH)}
SIGNED = DealerSignedOn("812")


def told(at: Entrance, event: PeopleEvent, pin: str | None = None) -> PeopleEvent | Refused:
    """What becomes of a touch at the edge."""
    return asyncio.run(authenticate_event(at.authenticator, event, pin, "screen"))


@pytest.mark.parametrize(
    ("event", "becomes"),
    [
        (SIGNED, DealerSignedOn("D-12")),
        (DealerSignedOn("4711"), Refused("not_proven")),
        (DealerSignedOn("D-12"), Refused("not_proven")),
        (DealerSignedOn("ZZZ"), Refused("not_proven")),
        (DealerRelieved("812"), DealerRelieved("D-12")),
        (DealerRelieved("4711"), DealerRelieved("F-07")),
        (DealerRelieved("ZZZ"), Refused("not_proven")),
        (DealerRelieved(), Refused("not_proven")),
    ],
)
def test_where_dealers_are_listed_sign_on_and_relief_take_badge_and_pin(
    event: PeopleEvent, becomes: PeopleEvent | Refused
) -> None:
    """A floorperson deals at no table, and relieves whoever does."""
    at = Entrance(people=LISTED)
    assert told(at, event, PIN) == becomes
    assert len(at.written) == 1, "each try is in the journal before it is answered"
    assert told(at, event, WRONG) == Refused("not_proven")


@pytest.mark.parametrize("event", [SIGNED, DealerSignedOn("ZZZ"), DealerRelieved()])
def test_a_touch_without_a_pin_is_asked_for_it_and_is_no_try(event: PeopleEvent) -> None:
    at = Entrance(people=LISTED)
    assert told(at, event) == Refused("pin_needed")
    assert at.written == []


def test_a_dealer_waits_like_anybody_who_was_wrong() -> None:
    at = Entrance(people=LISTED)
    for _ in range(FREE + 1):
        assert told(at, SIGNED, WRONG) == Refused("not_proven")
    assert told(at, SIGNED, PIN) == Refused("not_proven")
    at.felt.event(TimePassed(), FIRST_MS)
    assert told(at, SIGNED, PIN) == DealerSignedOn("D-12")


@pytest.mark.parametrize(("people", "open_"), [(PEOPLE, False), (LISTED, True)])
def test_a_mock_table_and_one_that_lists_no_dealer_believe_whoever_says_so(
    people: dict[str, Person], open_: bool
) -> None:
    at = Entrance(open_, people=people)
    assert told(at, DealerSignedOn("D7")) == DealerSignedOn("D7")
    assert told(at, SIGNED) == DealerSignedOn("D-12" if people is LISTED else "812")
    assert told(at, DealerRelieved()) == DealerRelieved()


# ------------------------------------------------------------------ written down


def test_every_try_is_written_by_name_and_never_by_what_was_typed(at: Entrance) -> None:
    for typed, pin in (("4711", PIN), ("4711", WRONG), ("ZZZ", WRONG), ("12345678", None)):
        at.tries(typed, pin)
    assert at.written == [
        PersonTried("F-07", "screen", proven=True),
        PersonTried("F-07", "screen", proven=False),
        PersonTried("unknown", "screen", proven=False),
        PersonTried("unknown", "screen", proven=False),
    ]


def test_what_cannot_be_written_proves_nothing(at: Entrance) -> None:
    at.disk_full = True
    assert at.tries("4711", PIN) is None


# ------------------------------------------------------------------ the wait


def test_it_grows_and_never_beyond_a_minute() -> None:
    waits = [wait_ms(wrong) for wrong in range(1, 12)]
    assert waits[: FREE + 3] == [0] * FREE + [FIRST_MS, 2 * FIRST_MS, 4 * FIRST_MS]
    assert waits == sorted(waits)
    assert (waits[-1], wait_ms(10**6)) == (LONGEST_MS, LONGEST_MS)


def wrong(at: Entrance, times: int = FREE + 1, channel: str = "screen") -> None:
    for _ in range(times):
        assert at.tries("4711", WRONG, channel) is None


def test_a_right_pin_that_comes_too_early_is_not_heard_and_counted(at: Entrance) -> None:
    wrong(at)
    assert [at.tries("4711", PIN) for _ in range(3)] == [None] * 3
    at.felt.event(TimePassed(), FIRST_MS)
    assert at.tries("4711", PIN) == "F-07"
    assert at.written[-1] == PersonTried("F-07", "screen", proven=True, unheard=3)
    assert len(at.written) == FREE + 2, "what is not heard is a number in the next row, so no flood fills it"


def test_a_right_one_begins_anew(at: Entrance) -> None:
    wrong(at)
    at.felt.event(TimePassed(), FIRST_MS)
    assert at.tries("4711", PIN) == "F-07"
    wrong(at, FREE)
    assert at.tries("4711", PIN) == "F-07"


def test_the_next_wait_is_longer(at: Entrance) -> None:
    wrong(at)
    at.felt.event(TimePassed(), FIRST_MS)
    wrong(at, 1)
    at.felt.event(TimePassed(), FIRST_MS)
    assert at.tries("4711", PIN) is None
    at.felt.event(TimePassed(), FIRST_MS)
    assert at.tries("4711", PIN) == "F-07"


def test_nobody_locks_another_out_and_no_other_way_in(at: Entrance) -> None:
    for _ in range(10):
        at.tries("ZZZ", WRONG)
        at.tries("4712", WRONG)
    assert at.tries("4711", PIN) == "F-07"
    wrong(at, channel="tablet")
    assert at.tries("4711", PIN, "tablet") is None
    assert at.tries("4711", PIN, "screen") == "F-07"


def test_floor_on_the_table_itself_lets_them_try_and_its_twin_on_the_screen_does_not(at: Entrance) -> None:
    wrong(at)
    at.felt.event(KeyPressed(Key.FLOOR, screen=True))
    assert at.tries("4711", PIN) is None
    at.felt.event(KeyPressed(Key.FLOOR))
    wrong(at, 1)
    assert at.tries("4711", PIN) is None, "and the wait did not become shorter"
    at.felt.event(KeyPressed(Key.FLOOR))
    assert at.tries("4711", PIN) == "F-07"


def test_nothing_of_it_moves_the_table(at: Entrance) -> None:
    before = at.felt.table.view()
    wrong(at)
    after = at.felt.table.view()
    assert {**after, "version": 0} == {**before, "version": 0}
