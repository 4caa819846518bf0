"""The engine writes each event before it acknowledges it, judges it by the current state, and shows it
once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.game.model import events
from controller.game.model.effects import Checkpoint, CommandShoe, WriteRecord
from controller.game.model.irregularities import Code
from controller.game.model.names import Key
from controller.game.rulebook.wagers import Refusal
from controller.record.journal import files
from controller.table.engine import engine as room
from controller.table.engine.batcher import MAX_REPEATED
from controller.table.engine.engine import WRITE_RETRY_S
from drivers.ports import ShoeReport
from tests.ended import ended_round
from tests.runtime.fakes import ANTE, GREEN, Bench, bench, chip, pump, reading

CARD = ShoeReport("CARD", ("1", "QH"), "b:01")
TAKEN = ShoeReport("TAKEN", (), "b:02")
SIGN_ON = events.DealerSignedOn("D7")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Bench]:
    made = bench(tmp_path / "journal.sqlite")
    yield made
    made.journal.close()


def stated(number: int, *, resumed: bool = False) -> ShoeReport:
    fields = ("READY", "52", "0", "-", "STACK")
    return ShoeReport("STATE", fields, f"b:{number % 256:02X}", resumed=resumed)


# ---------------------------------------------------------------------- order


def test_events_that_wait_together_are_committed_at_once_and_handled_in_order(table: Bench) -> None:
    for report in (CARD, TAKEN):
        table.engine.inbox.put(report)
    assert table.engine.step()
    assert not table.engine.step()
    assert table.game.state == (events.CardLeftShoe(1, "QH"), events.StackTaken())  # type: ignore[arg-type]
    assert table.game.stamps[0] is table.game.stamps[1], "one commit, one stamp"
    assert table.journal.last_mark() == "b:02"


def test_a_frame_is_written_then_acknowledged_then_handled(table: Bench) -> None:
    table.game.react = lambda _: [CommandShoe("DEAL", ("5",))]
    table.engine.inbox.put(CARD)
    table.engine.step()
    assert table.shoe.log == ["accept CARD", "command DEAL"]
    assert table.kinds() == ["CardLeftShoe"]
    assert table.shoe.commands == [("DEAL", "5")]


def test_an_unused_frame_is_acknowledged_and_its_mark_stored(table: Bench) -> None:
    table.engine.inbox.put(ShoeReport("GREETINGS", ("QH",), "b:09"))
    table.engine.step()
    assert (table.game.state, table.journal.last_mark()) == ((), "b:09")
    assert [report.kind for report in table.shoe.accepted] == ["GREETINGS"]


def test_only_a_reading_with_a_change_is_written(table: Bench) -> None:
    for _ in range(5):
        table.engine.inbox.put_readings([reading("AA")])
        table.engine.step()
    assert table.game.state == (events.CircleRead(1, ANTE.wager, (chip("AA"),)),)


# ---------------------------------------------------------------------- touches


def press(table: Bench, event: events.Event = SIGN_ON) -> list[Refusal | None]:
    answers: list[Refusal | None] = []
    table.engine.inbox.put_touch(event, answers.append)  # type: ignore[arg-type]
    return answers


def test_a_touch_is_answered_after_it_was_written_and_handled(table: Bench) -> None:
    answers = press(table)
    assert answers == []
    table.engine.step()
    assert (answers, table.kinds()) == ([None], ["DealerSignedOn"])


def test_a_refused_touch_is_answered_and_never_written(table: Bench) -> None:
    refusal = Refusal("not_now", "")
    table.game.refuse = lambda _: refusal
    answers = press(table)
    table.engine.step()
    assert (answers, table.kinds(), table.game.state) == ([refusal], [], ())


def test_a_touch_is_judged_by_the_state_after_all_earlier_events(table: Bench) -> None:
    """A second CONFIRM waits behind the first one. It must not count for the prompt that the first CONFIRM
    causes."""
    table.game.refuse = lambda event: Refusal("not_now", "") if event in table.game.state else None
    first, second = press(table), press(table)
    pump(table.engine)
    assert first == [None]
    assert [answer.code for answer in second if answer] == ["not_now"]
    assert table.kinds() == ["DealerSignedOn"]


def test_a_card_precedes_every_waiting_touch(table: Bench) -> None:
    for _ in range(3):
        table.engine.inbox.put_touch(SIGN_ON, lambda _: None)
    table.engine.step()
    table.engine.inbox.put(CARD)
    table.engine.step()
    assert table.kinds() == ["DealerSignedOn", "CardLeftShoe"]
    assert table.shoe.log == ["accept CARD"]


def test_a_key_on_the_felt_is_an_event_like_a_touch(table: Bench) -> None:
    table.engine.inbox.put_key("confirm")
    pump(table.engine)
    assert table.game.state == (events.KeyPressed(Key.CONFIRM),)


# ---------------------------------------------------------------------- time


def test_a_report_of_the_shoe_precedes_an_expired_deadline(table: Bench) -> None:
    """After a pause the table finds both at once, and the shoe's report is older than the deadline."""
    table.game.deadline = 1500
    table.clock.forward(30_000)
    table.engine.inbox.put(ShoeReport("LINK_LOST"))
    pump(table.engine)
    assert table.kinds() == ["ShoeLinkLost", "TimePassed"]


def test_an_expired_deadline_is_one_event(table: Bench) -> None:
    table.game.deadline = 1500
    assert not table.engine.step()
    assert table.engine.next_wake() == pytest.approx(1.5)
    table.clock.forward(500)
    pump(table.engine)
    assert table.game.state == (events.TimePassed(),)
    assert table.engine.next_wake() is None, "one that stands unchanged is not served again"
    table.game.deadline = 1500 + 400
    assert table.engine.next_wake() == pytest.approx(1.9)


# ---------------------------------------------------------------------- outputs


def test_lamps_are_set_only_when_they_change(table: Bench) -> None:
    table.game.lit = {ANTE: "on"}
    for _ in range(3):
        press(table)
        table.engine.step()
    assert table.lamps.shown == [{ANTE: GREEN}]


def test_the_view_is_built_only_on_request(table: Bench) -> None:
    for _ in range(3):
        press(table)
        table.engine.step()
    assert table.game.views == 0
    assert table.engine.view() == table.engine.view()
    assert table.game.views == 1


def test_every_change_wakes_the_subscribers(table: Bench) -> None:
    woken: list[int] = []
    table.engine.on_change.append(lambda: woken.append(1))
    press(table)
    table.engine.step()
    assert woken == [1]


def test_a_round_record_is_passed_on_with_the_state_before_it(table: Bench) -> None:
    records: list[tuple[object, object]] = []
    table.engine.on_record.append(lambda record, before: records.append((record, before)))
    record = ended_round(1)
    table.game.react = lambda _: [WriteRecord(record)]
    press(table)
    table.engine.step()
    assert records == [(record, ())]


def test_due_circles_are_watched_and_a_sweep_ends_with_its_event(table: Bench) -> None:
    table.game.watched, table.game.sweep = (ANTE,), 900
    press(table)
    pump(table.engine)
    assert (table.chips.watched, table.chips.sweeps) == ([(ANTE,)], 1)
    for began in (0.8, 1.0, 1.1):
        table.engine.inbox.put_readings([reading("AA", began=began)])
    pump(table.engine)
    assert table.game.state[1:] == (
        events.CircleRead(1, ANTE.wager, (chip("AA"),)),
        events.SweepCompleted(900),
    )


def test_proofs_of_chips_begin_when_the_game_allows_them(table: Bench) -> None:
    press(table)
    pump(table.engine)
    assert table.chips.proofs == []  # no chip of this table has a key yet
    for wanted in ((), (), (ANTE,), None, None):
        table.engine.proofs = lambda state, wanted=wanted: wanted
        press(table)
        pump(table.engine)
    assert table.chips.proofs == [(), (ANTE,), None]


def test_a_sweep_that_needs_no_reading_ends_at_once(tmp_path: Path) -> None:
    table = bench(tmp_path / "journal.sqlite", circles=())
    table.game.sweep = 900
    press(table)
    pump(table.engine)
    assert table.game.state == (SIGN_ON, events.SweepCompleted(900))
    table.journal.close()


def test_a_checkpoint_stores_the_state_after_the_last_event(table: Bench) -> None:
    table.game.react = lambda _: [Checkpoint()]
    press(table)
    pump(table.engine)
    assert list(table.journal.snapshots()) == [(1, "1")]


# ---------------------------------------------------------------------- a full disk


def fill(table: Bench) -> None:
    """Queue more rows than fit into the space that is left in the file."""
    table.break_disk()
    for number in range(2, 200):
        table.engine.inbox.put(ShoeReport("CARD", (str(number), "QH"), f"b:{number}"))


def test_a_snapshot_is_written_at_least_every_thousand_rows(
    table: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ROWS_A_SNAPSHOT", 10)
    for _ in range(25):
        table.engine.inbox.put(events.TroubleReported(Code.STORAGE_LOW, "x"))
        table.engine.step()
    assert list(table.journal.snapshots()) == [(20, "20")], "one in passing gives way to the next"
    with files.reading(table.journal.path) as db:
        assert db.execute("SELECT count(*) FROM checkpoints").fetchone()[0] == 2, "a start looks at few rows"
    table.game.react = lambda _: [Checkpoint()]
    table.engine.inbox.put(TAKEN)
    table.engine.step()
    table.game.react = lambda _: []
    for _ in range(25):
        table.engine.inbox.put(events.TroubleReported(Code.STORAGE_LOW, "x"))
        table.engine.step()
    assert [seq for seq, _ in table.journal.snapshots()] == [46, 26], "one between rounds stays"


def test_an_unchanged_state_of_the_shoe_is_acknowledged_but_not_written(table: Bench) -> None:
    for number in range(MAX_REPEATED + 2):
        table.engine.inbox.put(stated(number))
        table.engine.step()
    assert len(table.shoe.accepted) == MAX_REPEATED + 2
    assert table.kinds() == ["ShoeStated"] * 2, "a mark is written before its number comes again"
    assert table.journal.last_mark() == stated(MAX_REPEATED + 1).mark


@pytest.mark.parametrize("between", [CARD, SIGN_ON, stated(7, resumed=True)])
def test_a_state_of_the_shoe_after_another_report_is_written(
    table: Bench, between: events.Event | ShoeReport
) -> None:
    table.engine.inbox.put(stated(1))
    if isinstance(between, ShoeReport):
        table.engine.inbox.put(between)
    else:
        table.engine.inbox.put_touch(SIGN_ON, lambda _: None)
    pump(table.engine)
    table.engine.inbox.put(stated(2))
    pump(table.engine)
    assert table.kinds().count("ShoeStated") == (2 if between in (CARD, SIGN_ON) else 3)


def test_no_event_is_handled_or_acknowledged_while_the_disk_is_full(table: Bench) -> None:
    fill(table)
    pump(table.engine)
    assert (table.game.state, table.shoe.accepted, table.kinds()) == ((), [], [])
    assert table.engine.fault is not None
    assert "disk is full" in table.engine.fault
    assert table.engine.view()["alerts"] == [{"code": "journal_fault"}], "the dealer is told all the same"
    assert table.game.state == ()


def test_waiting_events_are_handled_when_the_disk_has_room_again(table: Bench) -> None:
    fill(table)
    pump(table.engine)
    assert table.engine.next_wake() == pytest.approx(table.clock.seconds() + WRITE_RETRY_S)
    table.clock.forward(1000)
    pump(table.engine)
    assert table.engine.fault is None
    assert len(table.shoe.accepted) == 198
    assert table.kinds()[-2:] == ["TroubleReported", "TroubleReported"]
    assert table.game.state[-1] == events.TroubleReported(Code.JOURNAL_FAULT, "", cleared=True)
    assert len(table.kinds()) == len(table.game.state) == 200


def test_a_full_disk_is_tried_once_a_second(table: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(table)
    pump(table.engine)
    tries: list[int] = []
    real = table.journal.recover

    def still_full() -> bool:
        tries.append(1)
        stands = real()
        table.break_disk()
        return stands

    monkeypatch.setattr(table.journal, "recover", still_full)
    for _ in range(40):
        table.clock.forward(100)
        pump(table.engine)
    assert len(tries) == 4
    assert (table.kinds(), table.shoe.accepted) == ([], [])


def test_touches_on_a_full_disk_are_refused_at_once_and_never_happen(table: Bench) -> None:
    before = press(table)
    fill(table)
    table.engine.step()
    during = press(table)
    pump(table.engine)
    assert [answer.code for answer in (*before, *during) if answer] == ["journal_fault"] * 2
    table.clock.forward(1000)
    pump(table.engine)
    assert SIGN_ON not in table.game.state


def test_readings_are_dropped_while_the_disk_is_full(table: Bench) -> None:
    fill(table)
    pump(table.engine)
    for _ in range(1000):
        table.engine.inbox.put_readings([reading("AA")])
    pump(table.engine)
    assert not table.engine.inbox


def test_a_commit_that_succeeded_despite_an_error_is_handled_once(
    table: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk reported an error although the rows were written."""
    fill(table)
    pump(table.engine)
    monkeypatch.setattr(table.journal, "recover", lambda: _as_if_it_stood(table))
    table.clock.forward(1000)
    pump(table.engine)
    assert len(table.kinds()) == len(table.game.state) == 200
    assert len(table.shoe.accepted) == 198
    assert [row.event() for row in table.journal.rows()] == list(table.game.state)


def _as_if_it_stood(table: Bench) -> bool:
    type(table.journal).recover(table.journal)
    assert table.engine._unwritten is not None
    batch, stamp = table.engine._unwritten
    from controller.record.journal.journal import JournalEntry

    table.journal.append([JournalEntry(i.event, i.report.mark if i.report else None) for i in batch], stamp)
    return True


def test_a_start_that_cannot_be_written_raises_an_error(table: Bench) -> None:
    from controller.record.journal.schema import JournalFault

    table.break_disk()
    started = events.Started(tuple((seat, wager) for seat in range(1, 200) for wager in type(ANTE.wager)))
    with pytest.raises(JournalFault, match="disk is full"):
        table.engine.start(started)
