"""`EventSender` sends and resends events on schedule, and acknowledgements move the cursor; the tests need no
connection and no clock.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.uplink import cursor, outbox, wire
from controller.floor.uplink.limit import EVENT_BYTES, MIN_LIMIT_BYTES, read_limit
from controller.floor.uplink.outbox import Head, Outbox, Ready
from controller.floor.uplink.publisher import WAITS_S
from controller.floor.uplink.sender import (
    ACK_STALLED_S,
    GAP_S,
    HELD_BACK_S,
    MAX_RESEND_INTERVAL_S,
    RESEND_AFTER_S,
    WINDOW,
    AnotherHistory,
    EventSender,
    RejectedAcknowledgement,
)

STREAM, TABLE, EVENTS = "ab" * 16, "CC-01", 1200
KEY = SigningKey.new("house.example/pit-1")
MAX_COPIES = 4


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outbox]:
    """Yield an outbox with more events than may be unacknowledged at once."""
    with closing(Outbox(tmp_path_factory.mktemp("outbox") / "outbox")) as made:
        tree, ready = Frontier(), []
        for number in range(1, EVENTS + 1):
            payload = b"event %d" % number
            tree = tree.add(wire.leaf_of(payload))
            ready.append(Ready(number, number, payload, tree.root()))
        made.add(Head(STREAM, TABLE, EVENTS, 0, tree), ready, None)
        yield made


def made(full: Outbox, *pits: str, a_second: int = 5000, signed: bool = False) -> EventSender:
    keys = {pit: KEY.verifier(COSIGNATURE) if signed else None for pit in pits or ("pit-1",)}
    ready = EventSender(full, TABLE, STREAM, keys, a_second)
    ready.begin(0.0)
    ready.due(0.0)
    return ready


def answer(
    full: Outbox, upto: int, pit: str = "pit-1", *, signed: bool = False, stream: str = STREAM
) -> bytes:
    root = full.root(upto) or bytes(32)
    return wire.packed(wire.have(pit, TABLE, stream, upto, root, KEY if signed else None, 1_790_000_000))


def numbers(ready: list[Ready]) -> list[int]:
    return [each.sequence for each in ready]


def test_unacknowledged_events_never_exceed_the_window(full: Outbox) -> None:
    sending = made(full)
    assert numbers(sending.due(10.0)) == list(range(1, WINDOW + 1))
    assert sending.due(11.0) == []
    sending.answered("pit-1", answer(full, 200), 12.0)
    assert numbers(sending.due(12.0)) == list(range(WINDOW + 1, WINDOW + 201))


def test_the_sending_rate_stays_within_its_limit(full: Outbox) -> None:
    sending = made(full, a_second=50)
    sent = [len(sending.due(at / 10)) for at in range(1, 31)]
    assert 149 <= sum(sent) <= 150
    assert max(sent) <= 6


def test_the_cursor_is_that_of_the_slowest_pit(full: Outbox) -> None:
    sending = made(full, "pit-1", "pit-2")
    sending.due(1.0)
    assert sending.answered("pit-1", answer(full, 400), 1.0)
    assert sending.low == 0
    sending.answered("pit-2", answer(full, 300, "pit-2"), 1.0)
    assert sending.low == 300


def test_an_acknowledgement_of_an_unlisted_pit_moves_no_cursor(full: Outbox) -> None:
    sending = made(full)
    assert not sending.answered("pit-9", answer(full, 400, "pit-9"), 1.0)
    assert sending.low == 0


def test_after_a_gap_events_are_resent_from_the_pit_s_position(full: Outbox) -> None:
    sending = made(full)
    sending.due(1.0)
    sending.answered("pit-1", answer(full, 100), 1.0)
    sending.answered("pit-1", answer(full, 100), 1.0 + GAP_S)
    assert numbers(sending.due(1.0 + GAP_S))[0] == 101


def test_events_are_resent_at_once_to_a_pit_that_connects_later(full: Outbox) -> None:
    """The pit repeats its last acknowledgement when it connects. The broker stored no event for it meanwhile,
    so the table must send the events again."""
    sending = made(full)
    sending.due(0.1)
    sending.answered("pit-1", answer(full, 0), 0.2)
    assert numbers(sending.due(0.3))[0] == 1


def test_each_reconnection_delay_is_at_most_the_sum_of_the_earlier_ones() -> None:
    """A table therefore reconnects within twice the time for which its broker was away."""
    waits = WAITS_S[:-1]
    assert all(wait <= sum(waits[:number]) for number, wait in enumerate(waits) if number)


def test_a_slow_pit_that_still_acknowledges_gets_no_second_resend(full: Outbox) -> None:
    sending = made(full)
    sending.due(1.0)
    sending.answered("pit-1", answer(full, 100), 1.0)
    sending.answered("pit-1", answer(full, 100), 1.0 + GAP_S)
    sending.due(1.0 + GAP_S)
    for at in range(4, 40):
        upto = 100 + at * 10
        sending.answered("pit-1", answer(full, upto), float(at))
        sending.answered("pit-1", answer(full, upto), at + 0.5)
    assert sending.again == 1
    sending.due(40.0)
    sending.answered("pit-1", answer(full, 490), 39.0 + ACK_STALLED_S)
    assert sending.again == 2, "nothing moved any more"


def times_of_resends(
    sending: EventSender, full: Outbox, seconds: range, answers: Callable[[float, bool], int | None]
) -> list[float]:
    """Let a table send in turns of 0.1 s, and return the times at which it resent event 101. `answers`:
    returns the number in the pit's answer at a time, or None for no answer. Its second argument is whether
    the table has sent in that turn."""
    found = []
    for tenth in seconds:
        now = tenth / 10
        ready = numbers(sending.due(now))
        if 101 in ready:
            found.append(now)
        if (upto := answers(now, bool(ready))) is not None:
            sending.answered("pit-1", answer(full, upto), now + 0.05)
    return found


@pytest.mark.parametrize("away_s", [1, 4, 9, 11, 12, 14, 16, 31, 33, 36, 71, 74, 151, 154, 311, 314])
def test_a_restarted_pit_has_all_events_within_twice_its_downtime(full: Outbox, away_s: int) -> None:
    """Resends do not reach a pit that is away. Its first answer may come soon after a resend, and it sends no
    other answer until it receives an event."""
    sending, killed, has = made(full), 2.0, 100
    sending.due(1.0)
    sending.answered("pit-1", answer(full, has), 1.0)
    sending.due(killed)
    back = killed + away_s
    for tenth in range(21, int(10 * (killed + 2 * away_s)) + 1):
        now, before = tenth / 10, has
        for each in sending.due(now):
            has += int(now >= back and each.sequence == has + 1)
        if has > before or now == back:
            sending.answered("pit-1", answer(full, has), now)
    assert sending.low == EVENTS


def test_resent_events_are_resent_again_at_once_to_a_pit_that_connects_later(
    full: Outbox,
) -> None:
    sending = made(full)
    sending.due(0.1)
    sending.due(0.1 + RESEND_AFTER_S)
    sending.begin(11.0)
    assert numbers(sending.due(11.0))[0] == 1
    sending.answered("pit-1", answer(full, 0), 12.0)
    assert numbers(sending.due(12.0))[0] == 1


def test_events_are_resent_at_growing_intervals_to_a_pit_that_refuses_them(
    full: Outbox,
) -> None:
    """An answer to a resend does not count as the first answer of a pit that was away."""
    sending = made(full)
    sending.due(1.0)
    sending.answered("pit-1", answer(full, 100), 1.0)
    resent = times_of_resends(
        sending, full, range(20, 6000), lambda _now, has_come: 100 if has_come else None
    )
    waits = [round(later - earlier) for earlier, later in pairwise(resent)]
    assert waits == [RESEND_AFTER_S * 2**n for n in (0, 1, 2, 3)] + [MAX_RESEND_INTERVAL_S] * 2


def test_repeated_restarts_of_a_pit_cause_no_more_resends_than_a_stalled_pit(
    full: Outbox,
) -> None:
    """The pit answers once after each start and stores nothing."""
    sending = made(full)
    sending.due(1.0)
    sending.answered("pit-1", answer(full, 100), 1.0)
    resent = times_of_resends(
        sending, full, range(20, 6000), lambda now, _has_come: 100 if round(now * 10) % 15 == 0 else None
    )
    assert len(resent) <= 600 / ACK_STALLED_S + 2
    assert all(later - earlier >= ACK_STALLED_S for earlier, later in pairwise(resent[2:]))


@pytest.mark.parametrize("a_second", [3, 15, 50])
def test_events_reach_a_restored_pit_through_a_slow_broker_that_resends_fill(
    full: Outbox, a_second: int
) -> None:
    """The broker passes on `a_second` messages a second in order, at first the last events for 20 s. The pit
    answers every second, and also after a duplicate. If the table took each such answer for a gap, it would
    resend events faster than the broker passes them on."""
    sending, has, way, sent = made(full), 100, deque([EVENTS] * 20 * a_second), 0
    sending.due(1.0)
    sending.answered("pit-1", answer(full, EVENTS), 1.0)
    sending.answered("pit-1", answer(full, has), 2.0)
    for tenth in range(20, 10 * MAX_COPIES * EVENTS // a_second):
        way.extend(ready := numbers(sending.due(tenth / 10)))
        sent += len(ready)
        came = [way.popleft() for _ in range(min(a_second, len(way)))] if tenth % 10 == 0 else []
        for each in came:
            has += each == has + 1
        if came:
            sending.answered("pit-1", answer(full, has), tenth / 10 + 0.05)
    assert has == sending.low == EVENTS
    assert sent <= MAX_COPIES * EVENTS


def test_missing_acknowledgements_cause_resends_at_growing_intervals(full: Outbox) -> None:
    sending = made(full)
    sending.due(1.0)
    again = [at for at in range(2, 200) if numbers(sending.due(float(at)))[:1] == [1]]
    assert again == [
        1 + RESEND_AFTER_S,
        1 + 3 * RESEND_AFTER_S,
        1 + 7 * RESEND_AFTER_S,
        1 + 15 * RESEND_AFTER_S,
    ]


@pytest.mark.parametrize(
    ("upto", "signed", "stream", "words"),
    [
        (400, False, STREAM, "not signed by the key in uplink.pits"),
        (400, True, "cd" * 16, "about another journal"),
        (EVENTS + 1, True, STREAM, "has sent 1200: is its journal older?"),
    ],
)
def test_a_rejected_acknowledgement_moves_no_cursor(
    full: Outbox, upto: int, signed: bool, stream: str, words: str
) -> None:
    sending = made(full, signed=True)
    with pytest.raises(RejectedAcknowledgement, match=words):
        sending.answered("pit-1", answer(full, upto, signed=signed, stream=stream), 1.0)
    assert sending.low == 0
    sending.answered("pit-1", answer(full, 400, signed=True), 1.0)
    assert sending.low == 400


def test_an_acknowledgement_with_another_root_is_reported(full: Outbox) -> None:
    sending, other = made(full), wire.have("pit-1", TABLE, STREAM, 5, bytes(32))
    with pytest.raises(AnotherHistory, match="first 5 events is not what was sent"):
        sending.answered("pit-1", wire.packed(other), 1.0)


def test_events_that_every_pit_has_are_not_resent(full: Outbox) -> None:
    sending = made(full, "pit-1", "pit-2")
    sending.due(1.0)
    sending.answered("pit-1", answer(full, EVENTS - 1), 1.0)
    sending.answered("pit-2", answer(full, EVENTS - 2, "pit-2"), 1.0)
    assert numbers(sending.due(2.0)) == [EVENTS - 1, EVENTS]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lost=st.sets(st.integers(1, EVENTS), max_size=30), deaf=st.integers(0, 5))
def test_lost_messages_are_resent_until_all_events_arrive_once_in_order(
    full: Outbox, lost: set[int], deaf: int
) -> None:
    """The pit accepts only the next number. Each message of `lost` is lost once; the first answers are lost
    too."""
    sending, has, astray, now = made(full), 0, set(lost), 0.0
    while sending.low < EVENTS:
        now += 0.5
        assert now < 3600, "it comes to an end"
        for each in sending.due(now):
            if each.sequence in astray:
                astray.remove(each.sequence)
            elif each.sequence == has + 1:
                has += 1
        if deaf:
            deaf -= 1
        else:
            sending.answered("pit-1", answer(full, has), now)
    assert has == EVENTS


# ------------------------------------------------------------------ stored data


def test_the_outbox_keeps_the_latest_acknowledged_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_ACKNOWLEDGED", 3)
    with closing(Outbox(tmp_path / "outbox")) as own:
        ready = [Ready(number, number, b"x", bytes(32)) for number in range(1, 11)]
        own.add(Head(STREAM, TABLE, 10, 0, Frontier()), ready, None)
        own.forget(8)
        assert numbers(own.events(0, 100)) == [6, 7, 8, 9, 10]
        assert own.first() == 6


def test_a_cursor_is_stored_and_a_damaged_one_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "have"
    assert cursor.load_cursor(file, STREAM) == {}
    cursor.keep(file, STREAM, {"pit-1": 7})
    assert cursor.load_cursor(file, STREAM) == {"pit-1": 7}
    assert cursor.load_cursor(file, "cd" * 16) == {}, "of another journal"
    wrong = json.dumps({"stream": STREAM, "have": {"pit-1": "x"}})
    for damage in ("", "[]", '{"stream": 1}', wrong):
        file.write_text(damage)
        assert cursor.load_cursor(file, STREAM) == {}


def test_a_cursor_of_another_history_is_ignored(tmp_path: Path, full: Outbox) -> None:
    """The journal was restored from an older copy, but its cursor was not. Stream and number of both are the
    same."""
    file = tmp_path / "have"
    cursor.keep(file, STREAM, {"pit-1": 7}, full.root)
    assert cursor.load_cursor(file, STREAM, full.root) == {"pit-1": 7}
    assert cursor.load_cursor(file, STREAM, lambda _upto: bytes(32)) == {}
    assert cursor.load_cursor(file, STREAM, lambda _upto: None) == {}, "more than this outbox has"
    file.write_text(json.dumps({"stream": STREAM, "have": {"pit-1": 7}}))
    assert cursor.load_cursor(file, STREAM, full.root) == {"pit-1": 7}, "of a version without roots"


def test_each_event_carries_the_previous_root(full: Outbox) -> None:
    first, second = full.events(0, 2)
    assert (first.previous, second.previous) == (Frontier().root(), first.root)
    assert full.events(700, 1)[0].previous == full.root(700)


def test_unacknowledged_bytes_stay_within_the_smallest_limit_of_the_pits(full: Outbox) -> None:
    """Resent events count too; without a limit only the window of events applies."""
    sender = made(full, "pit-1", "pit-2")
    limits = {"pit-1": 100 * (EVENT_BYTES + 20), "pit-2": 50 * (EVENT_BYTES + 20)}
    for pit, limit in limits.items():
        sender.answered(pit, answer(full, 0, pit), 0.0, limit)
    first = sender.due(1.0)
    assert numbers(first) == list(range(1, len(first) + 1))
    assert 50 <= len(first) < 52
    assert sender.due(2.0) == []
    again = sender.due(2.0 + RESEND_AFTER_S)
    assert numbers(again) == numbers(first)
    for pit, limit in limits.items():
        sender.answered(pit, answer(full, 10, pit), 13.0, limit)
    assert len(sender.due(14.0)) in (9, 10, 11)


def test_a_limit_without_room_for_a_new_event_is_reported_until_there_is_room(full: Outbox) -> None:
    """Resent events do not end the condition."""
    sender = made(full)
    sender.answered("pit-1", answer(full, 0), 0.0, 10 * (EVENT_BYTES + 20))
    sender.due(1.0)
    assert sender.due(2.0) == [] and sender.held_back_by(2.0) is None
    assert sender.due(2.0 + HELD_BACK_S) == []
    held = ("pit-1", 10 * (EVENT_BYTES + 20))
    assert sender.held_back_by(2.0 + HELD_BACK_S) == held
    assert sender.due(2.0 + RESEND_AFTER_S) != [] and sender.due(13.0) == []
    assert sender.held_back_by(13.0) == held
    sender.answered("pit-1", answer(full, 5), 14.0, held[1])
    assert sender.due(15.0) != []
    assert sender.held_back_by(15.0) is None


@pytest.mark.parametrize(
    ("properties", "limit"),
    [
        ([], None), ([("limit", "many")], None), ([("limit", "-1")], None), ([("limit", "9" * 40)], None),
        ([("limit", "4194304")], 4_194_304), ([("other", "1"), ("limit", "1")], MIN_LIMIT_BYTES),
    ],
)  # fmt: skip
def test_a_limit_is_a_number_of_bytes_with_a_minimum(
    properties: list[tuple[str, str]], limit: int | None
) -> None:
    assert read_limit(properties) == limit
