"""Messages that wait for the store are limited by bytes for each table, and are acknowledged in the order of
receipt.
"""

from __future__ import annotations

from functools import partial

import pytest

from controller.floor.pit.database import BATCH_SIZE
from controller.floor.pit.inbox import MESSAGE_BYTES, Inbox, Message
from controller.floor.uplink import wire


def message(table: str, size: int = 1000, done: list[str] | None = None, name: str = "") -> Message:
    answered = {} if done is None else {"done": partial(done.append, name)}
    return Message(wire.topic(table, "events"), b"x" * size, **answered)


def size_of(table: str, size: int = 1000) -> int:
    return message(table, size).size


def test_a_table_beyond_its_limit_does_not_affect_the_others() -> None:
    inbox = Inbox(max_bytes=10**9, max_table_bytes=5 * size_of("EVIL"))
    assert [inbox.put(message("EVIL")) for _ in range(7)] == [True] * 5 + [False] * 2
    assert inbox.put(message("CC-01"))
    assert len(inbox.take(0)) == 6


def test_all_tables_share_a_limit_that_small_messages_reach_too() -> None:
    inbox = Inbox(max_bytes=100 * size_of("T-00", 0), max_table_bytes=10**9)
    taken = [inbox.put(message(f"T-{n:02d}", 0)) for n in range(99)] + [inbox.put(message("T-99", 0))] * 2
    assert all(taken)
    assert not inbox.put(message("T-00", 0)) and len(inbox) == 100
    assert inbox.size <= 100 * (MESSAGE_BYTES + 100)


def test_messages_being_written_count_until_released() -> None:
    inbox = Inbox(max_bytes=2 * size_of("CC-01"))
    assert inbox.put(message("CC-01")) and inbox.put(message("CC-01"))
    inbox.take(0)
    assert not inbox.put(message("CC-01"))
    assert inbox.oldest() == 0.0
    inbox.release()
    assert inbox.put(message("CC-01")) and len(inbox) == 1
    inbox.take(0)
    inbox.release()
    assert (inbox.size, len(inbox), inbox.oldest()) == (0, 0, None)


def test_dropped_messages_of_qos_0_are_counted_by_table() -> None:
    inbox = Inbox(max_table_bytes=2 * size_of("CC-01"))
    for name in ("CC-01", "CC-01", "CC-01", "CC-02", "CC-01"):
        inbox.put(message(name))
    assert inbox.take_dropped() == {"CC-01": 2}
    assert inbox.take_dropped() == {}


def test_a_dropped_message_is_acknowledged_to_the_broker_in_order() -> None:
    """MQTT 5, section 4.6, requires acknowledgements in the order of the messages."""
    done: list[str] = []
    inbox = Inbox(max_table_bytes=2 * size_of("CC-01"))
    for name in ("first", "dropped", "third"):
        inbox.put(message("CC-01", 3000 if name == "dropped" else 1, done, name))
    batch = inbox.take(0)
    assert [each.dropped for each in batch] == [False, True, False]
    assert batch[1].payload == b""
    for each in batch:
        each.done()
    assert done == ["first", "dropped", "third"]


@pytest.mark.parametrize(("size", "most"), [(10, BATCH_SIZE), (4 * 1024 * 1024, 2)])
def test_a_batch_is_bounded_by_number_and_by_bytes(size: int, most: int) -> None:
    inbox = Inbox(max_bytes=10**10, max_table_bytes=10**10)
    for n in range(most + 5):
        inbox.put(message(f"T-{n}", size))
    assert len(inbox.take(0)) == most
    inbox.release()
    assert len(inbox.take(0)) == min(5, most)


def test_a_wait_ends_at_its_timeout_and_when_woken() -> None:
    inbox = Inbox()
    assert inbox.take(0) == []
    inbox.wake()
    assert inbox.take(60) == []
