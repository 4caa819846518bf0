"""If journals are restored, shortened or replaced under an uplink, each stream at a pit has one history, and
every event of the present journal counts once.

`tests/uplink/test_served.py` and `tests/pit/test_wire.py` use a real broker.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.cli import main
from controller.floor.pit.copies import backup
from controller.floor.pit.store import irregularities_of
from controller.floor.pit.streams import streams
from controller.floor.uplink import stream_names
from tests.uplink.night import NAME, NIGHT, derived_messages
from tests.uplink.world import World

pytestmark = [pytest.mark.slow, pytest.mark.serial]
NODES = {
    "A": (None, 10),
    "AX": ("A", 11),
    "AXY": ("AX", 12),
    "AZ": ("A", 13),
    "AZW": ("AZ", 14),
    "R": (None, 15),
}
"""Journals by name: the journal that each one continues, and the seed of its play. R replaces A."""


class Folds(dict[str, list[dict[str, Any]]]):
    """Events of each journal, by its name."""

    def __repr__(self) -> str:
        return "the folds"


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of each journal. It includes the keys, as a disk image does."""
    top = tmp_path_factory.mktemp("nodes")
    for name, (before, seed) in NODES.items():
        if before is None:
            (top / name).mkdir()
        else:
            shutil.copytree(top / before, top / name)
        play = [*NIGHT, "--seed", str(seed), "--rounds", "2", "--journal", str(top / name / "journal.db")]
        assert main(["mock", *play]) == 0
    return top


@pytest.fixture(scope="module")
def folds(nodes: Path, tmp_path_factory: pytest.TempPathFactory) -> Folds:
    """Return every event of each journal, derived from its beginning."""
    top = tmp_path_factory.mktemp("folds")
    found = Folds()
    for name in NODES:
        found[name] = [
            json.loads(each.payload) for each in derived_messages(nodes / name / "journal.db", top / name)
        ]
    return found


@pytest.fixture
def world(tmp_path: Path, nodes: Path) -> Iterator[World]:
    made = World(tmp_path, nodes)
    yield made
    made.store.close()


def facts(events: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(each["row"], each["type"], each["data"]) for each in events]


def records(events: Sequence[dict[str, Any]]) -> int:
    return sum(each["type"].endswith(".record") for each in events)


def arrived(world: World, folds: Folds) -> None:
    """Check that the pit has every event of the present journal exactly once: in the current stream, or in an
    earlier stream before the current one's first row.
    """
    current = [json.loads(each) for each in world.bodies(world.stream)]
    first = stream_names.row_before(world.stream)
    present = facts(folds[world.node])
    assert facts(current) == [each for each in present if each[0] > first]
    count = {}
    for stream, cut in streams(world.store._db, NAME).items():
        if stream_names.journal_of(stream) == stream_names.journal_of(world.stream):
            for each in world.bodies(stream)[: (cut or 10**9) - 1]:
                event = json.loads(each)
                count[event["row"], event["id"].rpartition("/")[2]] = event["data"]
    assert [data for _, _, data in present] == [count[key] for key in sorted(count, key=order)]


def order(key: tuple[int, str]) -> tuple[int, int, int]:
    row, part = key
    return row, int(part.startswith("seal")), int(part.removeprefix("seal"))


@pytest.mark.parametrize(
    ("outbox", "cursor_stays"), [("restored", True), ("stays", True), ("lost", True), ("lost", False)]
)
def test_a_restored_table_continues_in_a_new_stream(
    world: World, folds: Folds, outbox: str, cursor_stays: bool
) -> None:
    """A disk image is restored; the outbox stays or is deleted, as the guide describes."""
    world.put("A")
    world.run()
    first = world.stream
    world.put("AXY")
    world.run()
    before = world.bodies(first)
    world.put("AZ", outbox=outbox, cursor_stays=cursor_stays)
    world.run()
    assert world.stream != first, "a new one"
    assert world.bodies(first) == before, "nothing was spliced, nothing lost"
    assert world.rounds() == records(folds["AXY"])
    assert len([each for each in irregularities_of(world.store._db, 999) if each.kind == "other"]) <= 1
    world.join()
    world.put("AZW")
    world.run()
    world.check()
    arrived(world, folds)
    assert world.rounds() == records(folds["AZW"])


def test_replacing_the_journal_keeps_the_figures_of_the_previous_one(world: World, folds: Folds) -> None:
    world.put("A")
    world.run()
    world.put("R")
    world.run()
    assert world.rounds() == records(folds["A"])
    world.join()
    world.run()
    arrived(world, folds)
    assert world.rounds() == records(folds["A"]) + records(folds["R"])


def test_a_copy_restored_twice_gives_two_histories(world: World, folds: Folds) -> None:
    world.put("A")
    world.run()
    for node in ("AX", "AZ"):
        world.put(node, outbox="restored")
        world.run()
        world.join()
        world.run()
    world.put("A", outbox="restored")
    world.run()
    world.put("AX")
    world.run()
    world.join()
    world.run()
    world.check()
    arrived(world, folds)
    assert world.rounds() == records(folds["AX"])


@pytest.mark.parametrize("copied", ["before the first event", "after some rounds"])
def test_after_a_restored_store_later_events_arrive_again_once_in_order(
    world: World, folds: Folds, tmp_path: Path, copied: str
) -> None:
    copy = tmp_path / "copy.db"
    world.put("A")
    if copied == "after some rounds":
        world.run()
    backup(str(world.top / "pit.db"), copy)
    world.put("AXY")
    world.run()
    there = world.bodies(world.stream)
    world.restore_pit(copy)
    assert len(streams(world.store._db, NAME) and world.bodies(world.stream)) < len(there)
    world.run()
    assert world.bodies(world.stream) == there
    arrived(world, folds)
    assert world.rounds() == records(folds["AXY"])


@pytest.mark.parametrize("copied", ["before the first event", "after some rounds"])
def test_events_deleted_from_the_outbox_are_reported_and_derived_again(
    world: World, folds: Folds, tmp_path: Path, copied: str,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """The cursor is older than the restored store; it must not delete events of the new outbox."""
    monkeypatch.setattr("controller.floor.uplink.outbox.MAX_ACKNOWLEDGED", 5)
    copy = tmp_path / "copy.db"
    world.put("A")
    if copied == "after some rounds":
        world.run()
    backup(str(world.top / "pit.db"), copy)
    world.put("AX")
    world.run()
    world.restore_pit(copy)
    before = world.bodies(world.stream)
    world.put("AXY")
    world.run()
    assert world.bodies(world.stream) == before, "nothing after a gap is stored"
    lines = [each for each in caplog.messages if "the outbox begins at" in each]
    assert len(lines) == 1 and "journal.db.uplink and start again: it is made anew" in lines[0]
    for file in world.journal.parent.glob("journal.db.uplink*"):
        if not file.name.endswith(".have"):
            file.unlink()
    world.kill_pit()
    world.run()
    arrived(world, folds)
    assert world.rounds() == records(folds["AXY"])


STEPS = st.one_of(
    st.tuples(
        st.just("put"), st.sampled_from(sorted(NODES)), st.sampled_from(["stays", "lost", "restored"]),
        st.booleans(),
    ),
    st.tuples(st.just("run"), st.integers(1, 60)),
    st.tuples(st.sampled_from(["kill", "join"])),
)  # fmt: skip


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=9))
def test_after_any_restores_losses_and_kills_the_pit_has_the_journal_once(
    tmp_path_factory: pytest.TempPathFactory, nodes: Path, folds: Folds,
    steps: list[tuple[Any, ...]],
) -> None:  # fmt: skip
    world = World(tmp_path_factory.mktemp("world"), nodes)
    try:
        walked(world, steps)
        here = stream_names.journal_of(world.stream)
        has, published = world.bodies(world.stream), world.fold
        if len(has) > len(published):  # restored, with no event at the table since
            assert has[: len(published)] == published
            return
        arrived(world, folds)
        if all(stream_names.journal_of(each) == here for each in streams(world.store._db, NAME)):
            assert world.rounds() == records(folds[world.node])
    finally:
        world.store.close()


def walked(world: World, steps: list[tuple[Any, ...]]) -> None:
    """Take the steps, then run the table until nothing is left to send and a person has accepted the waiting
    streams."""
    world.put("A")
    world.run()
    for what, *rest in steps:
        if what == "put":
            world.put(rest[0], outbox=rest[1], cursor_stays=rest[2])
        elif what == "run":
            world.run(rest[0])
        elif what == "kill":
            world.kill_pit()
        else:
            world.join()
        world.check()
    for _ in range(3):
        world.run(80)
        world.join()
    world.run(80)
    world.check()
