"""On a real table only a PIN authenticates a person.

The journal names each attempt and never contains the typed text, waiting times grow after wrong attempts, and
an unknown badge cannot be distinguished from a known one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from argon2.exceptions import VerifyMismatchError

from controller.common import secret_hash
from controller.game.model import events
from controller.game.model.names import Key
from controller.game.phases import lockout
from controller.game.phases.lockout import FIRST_MS, FREE_ATTEMPTS, MAX_WAIT_MS, wait_ms
from controller.mock.bench.options import PIN, PIN_HASH
from controller.pages.display.ports import Refused
from controller.record.journal.codec import decode_event, encode_event
from controller.settings.people.register import ROLES, Person
from controller.table.display_source import authenticator as authenticators
from controller.table.display_source.authenticate_event import authenticate_event
from controller.table.display_source.authenticator import NOT_PROVEN, TOO_MANY, Authenticator
from controller.table.display_source.figures import Figures
from tests.game.felt import Felt

PEOPLE = {
    "4711": Person(name="F-07", roles=["floorperson"], pin=PIN_HASH),
    "4712": Person(name="F-08", roles=["floorperson"]),
}
WRONG = "9999"


@dataclass
class Entrance:
    """Authenticator of a table, with the rows that it writes to the journal."""

    open_: bool = False
    people: dict[str, Person] = field(default_factory=lambda: PEOPLE)
    felt: Felt = field(default_factory=Felt)
    written: list[events.PersonTried] = field(default_factory=list)
    disk_full: bool = False

    def __post_init__(self) -> None:
        self.authenticator = Authenticator(self.people, self._early, self._write, open_=self.open_)

    def _early(self, who: str, channel: str) -> bool:
        return lockout.must_wait(self.felt.table.state, who, channel, self.felt.ms)

    async def _write(self, event: events.PersonTried) -> bool:
        if not self.disk_full:
            self.written.append(event)
            self.felt.event(event)
        return not self.disk_full

    def attempt(self, typed: str, pin: str | None) -> str | None:
        """Return the name of the authenticated person, or None if the attempt is refused as not proven."""
        answer = asyncio.run(self.authenticator.authenticate(typed, pin, ROLES))
        assert isinstance(answer, str) or answer == NOT_PROVEN
        return answer if isinstance(answer, str) else None


@pytest.fixture
def at() -> Entrance:
    return Entrance()


class Quick:
    """Fast stand-in for the hasher, which accepts only the test's own PIN and hash."""

    def verify(self, kept: str, pin: str) -> None:
        if (kept, pin) != (PIN_HASH, PIN):
            raise VerifyMismatchError


@pytest.fixture(autouse=True)
def quick_unless_the_hash_is_meant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the hasher by a fast one, because a test makes hundreds of attempts. Tests marked `slow` use
    the real hasher."""
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(secret_hash, "_hasher", Quick)


@pytest.mark.slow
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
def test_a_real_table_requires_the_pin(at: Entrance, typed: str, pin: str | None, name: str | None) -> None:
    assert at.attempt(typed, pin) == name


@pytest.mark.parametrize(
    ("typed", "pin", "name"),
    [("4711", None, "F-07"), ("B1", None, "B1"), ("4711", PIN, "F-07"), ("4711", WRONG, None)],
)
def test_a_mock_table_accepts_a_badge_and_no_wrong_pin(typed: str, pin: str | None, name: str) -> None:
    assert Entrance(open_=True).attempt(typed, pin) == name


# ------------------------------------------------------------------ dealers

LISTED = {**PEOPLE, "812": Person(name="D-12", roles=["dealer"], pin=PIN_HASH)}
SIGNED = events.DealerSignedOn("812")


def authenticate(
    at: Entrance, event: events.PeopleEvent, pin: str | None = None
) -> events.PeopleEvent | Refused:
    """Return the result of a touch as the page receives it."""
    return asyncio.run(authenticate_event(at.authenticator, event, pin))


@pytest.mark.parametrize(
    ("event", "becomes"),
    [
        (SIGNED, events.DealerSignedOn("D-12")),
        (events.DealerSignedOn("4711"), Refused("not_proven")),
        (events.DealerSignedOn("D-12"), Refused("not_proven")),
        (events.DealerSignedOn("ZZZ"), Refused("not_proven")),
        (events.DealerRelieved("812"), events.DealerRelieved("D-12")),
        (events.DealerRelieved("4711"), events.DealerRelieved("F-07")),
        (events.DealerRelieved("ZZZ"), Refused("not_proven")),
        (events.DealerRelieved(), Refused("not_proven")),
    ],
)
def test_sign_on_and_relief_need_badge_and_pin_if_dealers_are_listed(
    event: events.PeopleEvent, becomes: events.PeopleEvent | Refused
) -> None:
    """A floorperson cannot deal, but may relieve any dealer."""
    at = Entrance(people=LISTED)
    assert authenticate(at, event, PIN) == becomes
    assert len(at.written) == 1, "each try is in the journal before it is answered"
    assert authenticate(at, event, WRONG) == Refused("not_proven")


@pytest.mark.parametrize("event", [SIGNED, events.DealerSignedOn("ZZZ"), events.DealerRelieved()])
def test_a_touch_without_a_pin_requests_it_and_is_not_an_attempt(event: events.PeopleEvent) -> None:
    at = Entrance(people=LISTED)
    assert authenticate(at, event) == Refused("pin_needed")
    assert at.written == []


def test_a_dealer_with_wrong_pins_has_to_wait() -> None:
    at = Entrance(people=LISTED)
    for _ in range(FREE_ATTEMPTS + 1):
        assert authenticate(at, SIGNED, WRONG) == Refused("not_proven")
    assert authenticate(at, SIGNED, PIN) == Refused("not_proven")
    at.felt.event(events.TimePassed(), FIRST_MS)
    assert authenticate(at, SIGNED, PIN) == events.DealerSignedOn("D-12")


@pytest.mark.parametrize(("people", "open_"), [(PEOPLE, False), (LISTED, True)])
def test_tables_without_listed_dealers_accept_any_number(people: dict[str, Person], open_: bool) -> None:
    at = Entrance(open_, people=people)
    assert authenticate(at, events.DealerSignedOn("D7")) == events.DealerSignedOn("D7")
    assert authenticate(at, SIGNED) == events.DealerSignedOn("D-12" if people is LISTED else "812")
    assert authenticate(at, events.DealerRelieved()) == events.DealerRelieved()


# ------------------------------------------------------------------ rows of attempts


def test_every_attempt_is_journalled_by_name_and_never_by_the_typed_text(at: Entrance) -> None:
    for typed, pin in (("4711", PIN), ("4711", WRONG), ("ZZZ", WRONG), ("12345678", None)):
        at.attempt(typed, pin)
    assert [(each.who, each.channel, each.proven) for each in at.written] == [
        ("F-07", "screen", True), ("F-07", "screen", False),
        ("unknown", "screen", False), ("unknown", "screen", False),
    ]  # fmt: skip


def test_an_attempt_that_cannot_be_written_authenticates_no_person(at: Entrance) -> None:
    at.disk_full = True
    assert at.attempt("4711", PIN) is None


# ------------------------------------------------------------------ the wait


def test_the_waiting_time_grows_up_to_a_minute() -> None:
    waits = [wait_ms(wrong) for wrong in range(1, 12)]
    assert waits[: FREE_ATTEMPTS + 3] == [0] * FREE_ATTEMPTS + [FIRST_MS, 2 * FIRST_MS, 4 * FIRST_MS]
    assert waits == sorted(waits)
    assert (waits[-1], wait_ms(10**6)) == (MAX_WAIT_MS, MAX_WAIT_MS)


def wrong(at: Entrance, times: int = FREE_ATTEMPTS + 1) -> None:
    for _ in range(times):
        assert at.attempt("4711", WRONG) is None


def test_a_right_pin_during_the_wait_is_not_compared_and_does_not_extend_it(at: Entrance) -> None:
    wrong(at)
    assert [at.attempt("4711", PIN) for _ in range(3)] == [None] * 3
    assert [(each.proven, each.early) for each in at.written[-3:]] == [(False, True)] * 3
    at.felt.event(events.TimePassed(), FIRST_MS)
    assert at.attempt("4711", PIN) == "F-07"


def test_a_flood_of_attempts_is_counted_in_the_next_row(
    at: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known and unknown badges share the limit, so the limit does not reveal which badges are known."""
    monkeypatch.setattr(authenticators, "MAX_TRIES_AT_ONCE", 6)
    monkeypatch.setattr(authenticators, "TRIES_PER_S", 0)

    async def flood() -> list[object]:
        typed = ("ZZZ", "4711", "4712")
        return [await at.authenticator.authenticate(typed[n % 3], WRONG, ROLES) for n in range(60)]

    answers = asyncio.run(flood())
    assert answers == [NOT_PROVEN] * 6 + [TOO_MANY] * 54
    assert len(at.written) == 6
    at.authenticator._allowance = None
    assert at.attempt("4712", WRONG) is None
    assert at.written[-1].unheard == 54


def test_wrong_pins_under_forty_unknown_names_share_one_wait(
    at: Entrance,
) -> None:
    for n in range(40):
        assert at.attempt(f"NAME-{n}", WRONG) is None
    assert sum(not each.early for each in at.written) == FREE_ATTEMPTS + 1
    assert list(at.felt.table.state.tries) == ["unknown@screen"]


def test_a_right_pin_resets_the_count(at: Entrance) -> None:
    wrong(at)
    at.felt.event(events.TimePassed(), FIRST_MS)
    assert at.attempt("4711", PIN) == "F-07"
    wrong(at, FREE_ATTEMPTS)
    assert at.attempt("4711", PIN) == "F-07"


def test_the_next_wait_is_longer(at: Entrance) -> None:
    wrong(at)
    at.felt.event(events.TimePassed(), FIRST_MS)
    wrong(at, 1)
    at.felt.event(events.TimePassed(), FIRST_MS)
    assert at.attempt("4711", PIN) is None
    at.felt.event(events.TimePassed(), FIRST_MS)
    assert at.attempt("4711", PIN) == "F-07"


def test_one_person_locks_no_other_out(at: Entrance) -> None:
    for _ in range(10):
        at.attempt("ZZZ", WRONG)
        at.attempt("4712", WRONG)
    assert at.attempt("4711", PIN) == "F-07"


def test_only_the_real_floor_key_allows_another_attempt(at: Entrance) -> None:
    wrong(at)
    at.felt.event(events.KeyPressed(Key.FLOOR, screen=True))
    assert at.attempt("4711", PIN) is None
    at.felt.event(events.KeyPressed(Key.FLOOR))
    wrong(at, 1)
    assert at.attempt("4711", PIN) is None, "and the wait did not become shorter"
    at.felt.event(events.KeyPressed(Key.FLOOR))
    assert at.attempt("4711", PIN) == "F-07"


def test_attempts_do_not_affect_the_game(at: Entrance) -> None:
    before = at.felt.table.view()
    wrong(at)
    after = at.felt.table.view()
    assert {**after, "version": 0} == {**before, "version": 0}


# ------------------------------------------------------------------ unknown badges


def observed(at: Entrance, typed: str, event: type, pin: str = WRONG) -> tuple[object, ...]:
    """Return everything that an attempt reveals to a page or to an observer of row sizes."""
    view = at.felt.table.view()
    rows, figures = len(at.written), Figures()
    answer = authenticate(at, event(typed, "answer") if event is events.FloorDecided else event(typed), pin)
    new = at.written[rows:]
    for each in new:
        figures.see(each, events.Stamp(at.felt.ms, ""))
    shown = {**at.felt.table.view(), "version": 0} == {**view, "version": 0}
    floor = at.felt.refused(events.KeyPressed(Key.FLOOR, screen=True))
    return answer, [len(encode_event(each)[1]) for each in new], shown, floor, figures.events()


@pytest.mark.complete
@pytest.mark.parametrize("event", [events.FloorDecided, events.DealerSignedOn, events.DealerRelieved])
@pytest.mark.parametrize("called", [False, True])
def test_an_unknown_badge_looks_like_a_known_one_at_any_time(event: type, called: bool) -> None:
    seen = []
    for typed in ("ZZZ", "4711", "4712", "812", "99", "UNKNOWN-BADGE-16"):
        at = Entrance(people=LISTED | {"99": Person(name="AUDITOR-WITH-16-", roles=["auditor"])})
        if called:
            at.felt.event(events.KeyPressed(Key.FLOOR))
        each = [
            observed(at, "YYY", event) for _ in range(FREE_ATTEMPTS + 1)
        ]  # the delay of unknown badges begins
        # the delay of the known badge must end at another time
        at.felt.event(events.TimePassed(), FIRST_MS // 2)
        each += [observed(at, typed, event) for _ in range(2 * FREE_ATTEMPTS + 1)]
        for _ in range(6):
            at.felt.event(events.TimePassed(), FIRST_MS // 2)
            each.append(observed(at, typed, event))
        seen.append(each)
    assert all(each == seen[0] for each in seen)
    assert all(answer == Refused("not_proven") for answer, *_ in seen[0])


def test_the_right_pin_of_another_role_looks_like_a_wrong_one() -> None:
    seen = []
    for typed, pin in (("4711", PIN), ("4711", WRONG), ("ZZZ", PIN)):
        at = Entrance(people=LISTED)
        seen.append([observed(at, typed, events.DealerSignedOn, pin) for _ in range(FREE_ATTEMPTS + 3)])
    assert seen[0] == seen[1] == seen[2]


def test_each_attempt_costs_one_hash_with_the_same_parameters(
    at: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []

    class Hasher:
        def verify(self, kept: str, _pin: str) -> None:
            compared.append(kept[: kept.index("p=1")])
            raise VerifyMismatchError

    monkeypatch.setattr(secret_hash, "_hasher", Hasher)
    for typed in ("ZZZ", "4711", "4712") * (FREE_ATTEMPTS + 2):
        at.attempt(typed, WRONG)
    assert len(compared) == 3 * (FREE_ATTEMPTS + 2)
    assert len(set(compared)) == 1


# ------------------------------------------------------------------ older journals


def test_rows_of_earlier_versions_are_read_and_counted(at: Entrance) -> None:
    old = decode_event("PersonTried", '{"who":"F-07","channel":"tablet","proven":false,"unheard":3}')
    assert old == events.PersonTried("F-07", "tablet", proven=False, unheard=3)
    for _ in range(FREE_ATTEMPTS + 1):
        at.felt.event(old)
    assert at.felt.table.state.tries["F-07@tablet"].wrong == FREE_ATTEMPTS + 1
    assert at.attempt("4711", PIN) == "F-07", "the screen's wait is its own"
