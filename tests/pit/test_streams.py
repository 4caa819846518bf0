"""Two histories of one table are never merged at a pit and never on one page, and each round counts once."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import closing

import pytest

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.floor import Streams
from controller.floor.pit.inbox import Message
from controller.floor.pit.ingest import Intake, Payload, Taken
from controller.floor.pit.opening import open_database
from controller.floor.pit.round_queries import ended, last
from controller.floor.pit.store import Store, accept, events_of, irregularities_of
from controller.floor.pit.store_writer import FloorUpdate, StoreWriter
from controller.floor.pit.streams import former_streams, joins_of
from controller.floor.uplink import stream_names, wire
from controller.floor.uplink.previous import read_previous
from tests.pit.published_tables import AT, Table, pit, sums_between

pytestmark = pytest.mark.serial
JOURNAL = "ab" * 16


def rooted(table: Table, first: int = 0) -> list[Payload]:
    """Return the events from one on, each with the root before it."""
    tree, found = Frontier(), []
    for payload in table.payloads:
        found.append(Payload(table.name, payload, tree.root()))
        tree = tree.add(wire.leaf_of(payload))
    return found[first:]


def bare(table: Table, first: int = 0) -> list[Payload]:
    """Return the same events as a table of version f98257e sends them."""
    return [Payload(table.name, payload) for payload in table.payloads[first:]]


def restored(table: Table, events: int, stream: str | None = None) -> Table:
    """Return the table with only its first events, as from an older copy."""
    made = Table(table.name, stream or table.stream)
    made.payloads = table.payloads[:events]
    made.round, made.ms = table.round, table.ms + 3_600_000
    return made


def two_histories() -> tuple[Table, Table, int]:
    """Return a table with four rounds, its copy restored after the second with four others, and the event at
    which they differ."""
    one = Table(stream=JOURNAL)
    one.play()
    one.play()
    parts = len(one.payloads)
    other = restored(one, parts)
    one.play()
    one.play()
    for _ in range(4):
        other.play(dealer="0088")
    return one, other, parts


def take(intake: Intake, payloads: list[Payload], at_once: int = 7) -> Taken:
    taken = Taken()
    for first in range(0, len(payloads), at_once):
        taken = intake.take(payloads[first : first + at_once])
    return taken


def sums(store: Store) -> dict[str, int]:
    found: dict[str, int] = {}
    for *_, what, amount in sums_between(store._db, "2026", "2027"):
        found[what] = found.get(what, 0) + amount
    return {what: amount for what, amount in found.items() if amount}


# ------------------------------------------------------------------ another history


@pytest.mark.parametrize("sent", [rooted, bare])
def test_a_restored_table_never_extends_the_stored_history(
    intake: Intake, store: Store, sent: object
) -> None:
    one, other, parts = two_histories()
    take(intake, sent(one))  # type: ignore[operator]
    for _ in range(6):
        take(intake, sent(other, parts))  # type: ignore[operator]
    assert [each.body.encode() for each in events_of(store._db, one.name, JOURNAL)] == one.payloads
    assert sums(store)["rounds"] == 4
    (line,) = irregularities_of(store._db, 99)
    assert line.words.startswith(f"event {parts + 1} came again with other content; the first one stays")


def test_the_next_number_of_another_tree_is_refused_and_answered(intake: Intake, store: Store) -> None:
    """The table continues from its newest event alone. No number conflicts, so only the root shows the
    difference."""
    one, other, _ = two_histories()
    take(intake, rooted(one))
    taken = intake.take(rooted(other, len(one.payloads))[:3])
    assert (taken.stored, taken.forks) == ([], {("CC-01", JOURNAL): len(one.payloads) + 1})
    assert store.tables["CC-01"].upto == len(one.payloads)


def test_a_forged_event_does_not_stop_a_table_that_proves_its_history(intake: Intake, store: Store) -> None:
    one, other, parts = two_histories()
    take(intake, rooted(one)[:-5])
    intake.take(bare(other, parts)[:1])
    assert store.forks
    take(intake, rooted(one, len(one.payloads) - 5))
    assert store.tables["CC-01"].upto == len(one.payloads)
    assert not store.forks


def test_after_a_restart_a_fork_is_still_known(url: str) -> None:
    one, other, parts = two_histories()
    for history, first in ((one, 0), (other, parts)):
        with closing(Store(open_database(url, writing=True))) as store:
            take(Intake(store, "UTC", lambda: AT, {}), bare(history, first))
    with closing(Store(open_database(url, writing=True))) as store:
        assert store.forks == {("CC-01", JOURNAL): parts + 1}
        assert take(Intake(store, "UTC", lambda: AT, {}), bare(other, len(one.payloads))).stored == []
        assert len(irregularities_of(store._db, 99)) == 1


# ------------------------------------------------------------------ a person joins them


def joined(intake: Intake, store: Store) -> tuple[Table, Table, int]:
    """Restore a table, send its own rounds in a separate stream, and accept the stream as a person would."""
    one, other, parts = two_histories()
    new = Table(stream=stream_names.stream_of(JOURNAL, b"\x01" * 32, parts))
    new.round, new.ms, new.row = 3, other.ms, parts
    for _ in range(4):
        new.play(dealer="0088")
    take(intake, rooted(one))
    assert take(intake, rooted(new)).stored == []
    accept(store._db, "CC-01", new.stream, AT, "Ana", "disk replaced")
    take(intake, rooted(new))
    return one, new, parts


def test_each_round_counts_once_after_a_join(intake: Intake, store: Store) -> None:
    _, new, parts = joined(intake, store)
    assert sums(store)["rounds"] == 6, "two of before, four of now"
    assert sums(store)["wagered"] == 6 * 4000
    assert store.tables["CC-01"].upto == len(new.payloads)
    (join,) = joins_of(store._db, "CC-01")
    assert (join.who, join.reason, join.previous) == ("Ana", "disk replaced", JOURNAL)
    assert join.taken_out == {"rounds": 2, "wagered": 8000, "win": sum((-1000,) * 2)}
    assert former_streams(store._db)["CC-01", JOURNAL].cut == parts + 1


def test_a_stream_after_an_archive_counts_each_round_once(intake: Intake, store: Store) -> None:
    """The table has lost its outbox, so the rounds after the archive are sent a second time."""
    one, _, parts = two_histories()
    take(intake, rooted(one))
    again = Table(stream=f"{JOURNAL}-{parts}")
    again.round, again.row = 3, parts
    again.play()
    again.play()
    accept(store._db, "CC-01", again.stream, AT, "Ana", "outbox lost")
    before = sums(store)
    take(intake, rooted(again))
    assert sums(store)["rounds"] == before["rounds"] == 4


def test_reversing_a_join_restores_the_figures(intake: Intake, store: Store) -> None:
    one, new, _ = joined(intake, store)
    after = sums(store)
    accept(store._db, "CC-01", JOURNAL, AT, "Ana", "the old disk works")
    intake.take(rooted(one)[-1:])
    assert sums(store)["rounds"] == 4
    accept(store._db, "CC-01", new.stream, AT, "Ana", "it does not")
    intake.take(rooted(new)[-1:])
    assert sums(store) == after
    assert store.tables["CC-01"].tree == Frontier.of([wire.leaf_of(each) for each in new.payloads])


def test_rounds_of_a_replaced_journal_stay_in_the_figures(intake: Intake, store: Store) -> None:
    one, new = Table(stream=JOURNAL), Table(stream="cd" * 16)
    one.play()
    new.play()
    take(intake, rooted(one))
    accept(store._db, "CC-01", new.stream, AT)
    take(intake, rooted(new))
    assert sums(store)["rounds"] == 2


def test_a_former_stream_with_another_history_is_refused_and_answered(intake: Intake, store: Store) -> None:
    """The same old copy was restored a second time."""
    one, _, parts = joined(intake, store)
    again = restored(one, parts)
    again.play(dealer="0099")
    taken = intake.take(rooted(again, parts))
    assert taken.forks == {("CC-01", JOURNAL): parts + 1}
    assert taken.stored == []


# ------------------------------------------------------------------ a round is named by stream and number


def read_ended(store: Store, **more: object) -> dict[str, object]:
    return ended(store._db, "CC-01", {"do": "round", "number": 3, "language": "en", **more}, "UTC")


def test_a_round_number_of_two_journals_gives_a_choice(intake: Intake, store: Store) -> None:
    one, new, _ = joined(intake, store)
    (now, before) = read_ended(store)["choices"]  # type: ignore[misc]
    assert [now["stream"], before["stream"]] == [new.stream, one.stream]
    rounds = [read_ended(store, stream=each)["round"] for each in (one.stream, new.stream)]
    dealers = [{line["text"] for line in each["head"]} for each in rounds]  # type: ignore[index]
    assert [any("0077" in text for text in each) for each in dealers] == [True, False]
    marks = [text for text in dealers[0] if "no longer in the table's journal" in text]
    assert len(marks) == 1 and "Ana joined it" in marks[0] and "disk replaced" in marks[0]
    assert len(rounds[0]["entries"]) == len(rounds[1]["entries"])  # type: ignore[index]


def test_an_old_address_redirects_to_the_only_journal_with_the_round(intake: Intake, store: Store) -> None:
    one, new, _ = joined(intake, store)
    assert "round" in read_ended(store, number=1), "of the former journal alone"
    assert "round" in read_ended(store, number=6), "of the current one alone"
    assert read_ended(store, number=99) == {"missing": "no_round"}
    assert read_ended(store, number=6, stream=one.stream) == {"missing": "no_round"}
    listed = read_ended(store, do="list", wanted={"last": 50})
    assert [each["number"] for each in listed["rounds"]] == [6, 5, 4, 3]  # type: ignore[attr-defined]
    of_before = read_ended(store, do="list", wanted={"last": 50}, stream=one.stream)
    assert [each["number"] for each in of_before["rounds"]] == [4, 3, 2, 1]  # type: ignore[attr-defined]
    assert str(of_before["left"]).startswith("From round 3 on no longer in the table's journal")
    assert last(store._db, "CC-01", "en", "UTC")[0] == new.stream
    text = str(read_ended(store, do="csv", wanted={"last": 50}, stream=one.stream)["csv"])
    assert {line.rpartition(",")[2] for line in text.splitlines()} == {"stream", one.stream}


def test_a_correction_after_the_join_is_on_the_page_of_its_round(intake: Intake, store: Store) -> None:
    one, new, _ = joined(intake, store)
    new.add_event("correction", correction={
        "code": "mispaid", "seat": 3, "wager": "across", "cents": 500, "with": None, "who": "F12",
        "when": new.utc(), "why": "miscounted",
    })  # fmt: skip
    correction = json.loads(new.payloads[-1])
    correction["data"]["round"], correction["subject"] = 1, "round/1"
    new.payloads[-1] = json.dumps(correction, separators=(",", ":")).encode()
    intake.take(rooted(new)[-1:])
    page = read_ended(store, number=1, stream=one.stream)["round"]
    assert len(page["corrections"]) == 1  # type: ignore[index]
    listed = read_ended(store, do="list", wanted={"last": 50}, stream=one.stream)["rounds"]
    assert listed[-1]["corrected"] == "corrected once, result $15"  # type: ignore[index]


def test_pages_get_a_table_s_streams_only_when_they_change(store: Store) -> None:
    """A fork and its end are changes."""
    sent: list[FloorUpdate] = []
    writer = StoreWriter(pit(), lambda: store, lambda _have: None, sent.append)
    table, other = Table("CC-01", JOURNAL), Table("CC-01", JOURNAL)
    table.play()
    other.play(dealer="0099")
    own, foreign = rooted(table), rooted(other)[0]
    assert own[0].payload != foreign.payload
    for each in (*own[:9], foreign, *own[9:]):
        assert each.previous is not None
        root = (("previous", b64encode(each.previous).decode()),)
        writer._work([Message(table.topic, each.payload, root)])
    forked = [each.forked for each in sent if isinstance(each, Streams)]
    assert forked == [False, True, False]


def test_an_invalid_root_is_refused_in_one_line() -> None:
    root = b64encode(bytes(32)).decode()
    assert read_previous([("previous", root)]) == bytes(32)
    assert read_previous([("trace", "x")]) is None
    for wrong in ([("previous", "x")], [("previous", root), ("previous", root)], [("previous", "")]):
        with pytest.raises(wire.InvalidPayload, match="no root of a tree; allowed: one, 32 bytes in base64"):
            read_previous(wrong)
