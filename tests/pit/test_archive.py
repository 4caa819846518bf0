"""The archive gets events before the store drops them, as one chain, and every change to the archive is
named.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.clock import parse_utc
from controller.common.tlog.merkle import Frontier
from controller.floor.pit.archive import Archive, body_of, files_of, first_of, line_of
from controller.floor.pit.inbox import Message
from controller.floor.pit.ingest import Intake
from controller.floor.pit.opening import open_database
from controller.floor.pit.retention import RetentionJob, gone_of
from controller.floor.pit.store import Store, events_of
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.uplink.wire import leaf_of
from tests.pit.published_tables import Table, pit
from tests.pit.test_ageing import DAY_MS, NOW, given, opened, played
from tests.uplink.broker import soon

__all__ = ["opened"]

pytestmark = pytest.mark.serial
STREAM = "0a1b2c3d"
Lines = list[bytes]


def aged(store: Store, folder: Path, now: str = NOW, days: int = 3) -> str:
    """Archive and drop all events whose retention is over, and return the fault of the archive, or ""."""
    job, words = RetentionJob(days, Archive(folder)), dict.fromkeys(store.tables)
    while store.age(job, words, parse_utc(now)) or job._left:
        pass
    return job.fault


def files(folder: Path) -> list[Path]:
    """Return the archive files of the table CC-01, in order."""
    return files_of(folder / "CC-01" / STREAM)


def lines_of(file: Path) -> Lines:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def archived(folder: Path) -> list[bytes]:
    """Return the archived events of the table CC-01, in order."""
    return [body_of(line) for file in files(folder) for line in lines_of(file)[1:]]


def verified(capsys: pytest.CaptureFixture[str], folder: Path, *more: str) -> tuple[int, str]:
    """Return the status and output of `crisscross pit verify`."""
    status = main(["pit", "verify", str(folder), *more])
    printed = capsys.readouterr()
    return status, printed.out + printed.err


def test_events_are_archived_before_they_are_dropped_in_one_chain_of_files(
    opened: tuple[Store, Intake], url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, intake = opened
    table, other, folder = played(6), played(6, "CC-02", "bbbb0000"), tmp_path / "archive"
    given(intake, table, other)
    assert aged(store, folder, "2026-11-26T12:00:00.000Z") == ""
    for _ in range(3):
        table.play()
        table.ms += DAY_MS
    given(intake, table)
    assert aged(store, folder) == ""
    gone = gone_of(store._db, "CC-01", STREAM)
    assert gone is not None
    assert archived(folder) == table.payloads[: gone.tree.size]
    kept = [each.body.encode() for each in events_of(store._db, "CC-01", STREAM)]
    assert archived(folder) + kept == table.payloads
    assert len(list((folder / "CC-01" / STREAM).iterdir())) == 2
    status, output = verified(capsys, folder, "--against", url)
    root = gone.tree.root().hex()[:16]
    assert (status, output.splitlines()[0]) == (
        0, f"table CC-01, stream {STREAM}: events 1 to {gone.tree.size} in 2 files, root {root}",
    )  # fmt: skip


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store, and an archive of three files of one table."""
    top = tmp_path_factory.mktemp("pristine")
    with closing(Store(open_database(str(top / "pit.db"), writing=True))) as store:
        given(Intake(store, "UTC", lambda: NOW, {}), played(9))
        for day in (27, 29, 31):
            assert aged(store, top / "archive", f"2026-11-{min(day, 30)}T12:00:00.000Z", days=3) == ""
    return top


@pytest.fixture
def made(pristine: Path, tmp_path: Path) -> Path:
    """Return a copy of the pristine folder."""
    shutil.copytree(pristine, tmp_path / "made")
    return tmp_path / "made"


def altered(lines: Lines) -> Lines:
    return [*lines[:4], lines[4].replace(b'"ms":', b'"ms":1'), *lines[5:]]


def removed(lines: Lines) -> Lines:
    return [*lines[:4], *lines[5:]]


def doubled(lines: Lines) -> Lines:
    return [*lines[:4], lines[3], *lines[4:]]


def longer(lines: Lines) -> Lines:
    return [*lines, lines[-1]]


def shorter(lines: Lines) -> Lines:
    return lines[:-2]


def no_header(lines: Lines) -> Lines:
    return lines[1:]


def root_altered(lines: Lines) -> Lines:
    at = lines[0].index(b'"root":"') + 8
    return [lines[0][:at] + lines[1][-20:-10].hex().encode()[:8] + lines[0][at + 8 :], *lines[1:]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (altered, "line 5: event {4} was altered"),
        (removed, "line 5: event {4} was removed"),
        (doubled, "line 5: event {3} was moved or added"),
        (longer, "was added; the header has events up to {last}"),
        (shorter, "are missing at the end"),
        (no_header, "line 1: was altered: is no header of an archive"),
        (root_altered, "line 1: was altered"),
    ],
)
def test_a_changed_line_is_named_with_its_event(
    made: Path, change: Callable[[Lines], Lines], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(capsys, made / "archive")[0] == 0
    file = files(made / "archive")[1]
    first, last = (first_of(each) or 0 for each in files(made / "archive")[1:])
    file.write_bytes(gzip.compress(b"".join(change(lines_of(file)))))
    status, output = verified(capsys, made / "archive")
    for event in (3, 4):
        words = words.replace(f"{{{event}}}", str(first + event - 1))
    assert status == 1 and output.startswith(f"{file}: ") and words.format(last=last - 1) in output, output
    assert output.count("\n") == 1


def cut(made: Path) -> str:
    file = files(made / "archive")[1]
    file.write_bytes(file.read_bytes()[:-40])
    return "the file is damaged or cut off"


def lost(made: Path) -> str:
    files(made / "archive")[1].unlink()
    return "are missing before this file"


def end_lost(made: Path) -> str:
    files(made / "archive")[2].unlink()
    return "were dropped and are not in the archive"


def all_lost(made: Path) -> str:
    shutil.rmtree(made / "archive" / "CC-01")
    (made / "archive" / "CC-02").mkdir()
    return "events were dropped, and the archive has none of it"


def renamed(made: Path) -> str:
    (made / "archive" / "CC-01").rename(made / "archive" / "CC-02")
    return "the file was renamed or altered"


def replaced_by_a_folder(made: Path) -> str:
    file = min((made / "archive").glob("*/*/*"))
    file.unlink()
    file.mkdir()
    return f"{file}: Is a directory"


@pytest.mark.parametrize("change", [cut, lost, end_lost, all_lost, renamed, replaced_by_a_folder])
def test_a_missing_cut_off_or_renamed_file_is_named(
    made: Path, change: Callable[[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    against = ("--against", str(made / "pit.db"))
    assert verified(capsys, made / "archive", *against)[0] == 0
    words = change(made)
    status, output = verified(capsys, made / "archive", *against)
    assert status == 1 and words in output, output


def test_a_folder_without_an_archive_and_a_foreign_store_are_reported_in_one_line(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    status, output = verified(capsys, tmp_path / "empty")
    assert status == 1 and "has no file; allowed: the folder of --archive" in output
    with closing(Store(open_database(str(tmp_path / "other.db"), writing=True))) as store:
        other = Table("CC-01", STREAM)
        for _ in range(9):
            other.play("0099")
        given(Intake(store, "UTC", lambda: NOW, {}), other)
    status, output = verified(capsys, made / "archive", "--against", str(tmp_path / "other.db"))
    assert status == 1 and "does not lead to the root that was acknowledged" in output
    assert main(["pit", "verify", str(made / "pit.db"), "--against", str(made / "pit.db")]) == 2


def test_no_event_is_archived_twice_after_a_crash_or_a_restored_store(tmp_path: Path) -> None:
    table, folder = played(9), tmp_path / "archive"
    with closing(Store(open_database(str(tmp_path / "a.db"), writing=True))) as store:
        given(Intake(store, "UTC", lambda: NOW, {}), table)
        before = parse_utc("2026-11-27T12:00:00.000Z")
        last = Archive(folder).reach(store._db, "CC-01", STREAM, Frontier(), before)
        assert Archive(folder).reach(store._db, "CC-01", STREAM, Frontier(), before) == last > 0
        assert aged(store, folder) == ""
    names = sorted(each.name for each in (folder / "CC-01" / STREAM).iterdir())
    assert len(names) == 2
    with closing(Store(open_database(str(tmp_path / "b.db"), writing=True))) as store:
        intake = Intake(store, "UTC", lambda: NOW, {})
        half = Table("CC-01", STREAM)
        half.payloads = table.payloads[: last - 3]
        given(intake, half)
        assert aged(store, folder) == ""
        assert gone_of(store._db, "CC-01", STREAM) is None, "the archive has more than the store"
        given(intake, table)
        assert aged(store, folder) == ""
        gone = gone_of(store._db, "CC-01", STREAM)
        assert gone is not None and archived(folder) == table.payloads[: gone.tree.size]
    assert sorted(each.name for each in (folder / "CC-01" / STREAM).iterdir()) == names


def test_with_a_foreign_archive_no_event_is_dropped_and_a_line_reports_it(
    made: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Store(open_database(str(tmp_path / "other.db"), writing=True))) as store:
        other = Table("CC-01", STREAM)
        for _ in range(9):
            other.play("0099")
            other.ms += DAY_MS
        given(Intake(store, "UTC", lambda: NOW, {}), other)
        assert "has other events than the store" in aged(store, made / "archive")
        assert len(events_of(store._db, "CC-01", STREAM)) == len(other.payloads)
    assert sum("has other events than the store" in each for each in caplog.messages) == 1


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[StoreWriter]:
    (tmp_path / "archive").mkdir()
    here = replace(pit(), days=3, posix=lambda: int(parse_utc(NOW)), archive=tmp_path / "archive")
    path = str(tmp_path / "pit.db")
    writer = StoreWriter(
        here, lambda: Store(open_database(path, writing=True)), lambda _have: None, lambda _shown: None
    )
    writer.start()
    yield writer
    writer.stop()


def test_an_unwritable_archive_stops_only_the_dropping(
    writer: StoreWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.floor.pit.retention.RETENTION_INTERVAL_S", 0)
    in_the_way = tmp_path / "archive" / "CC-01"
    in_the_way.write_text("no folder", encoding="utf-8")
    table = played(10)
    assert writer.faults()["archive"] == ""
    for payload in table.payloads[:-1]:
        writer.receive(Message(table.topic, payload))
    soon(lambda: writer.faults() == {"writer": "", "store": "", "archive": "cannot be written"})
    soon(lambda: writer.counts.stored == len(table.payloads) - 1)
    assert writer.counts.aged == 0
    in_the_way.unlink()
    writer.receive(Message(table.topic, table.payloads[-1]))
    soon(lambda: writer.counts.aged > 0)
    soon(lambda: writer.receive(Message(table.topic, table.payloads[0])) or not writer.faults()["archive"])
    assert archived(tmp_path / "archive") == table.payloads[: writer.counts.aged]


def test_an_event_with_a_line_feed_is_archived_as_one_line() -> None:
    for body in ('{"a":1}', '{"a":\n1}', "{\r\n}", '{"a":"é"}'):
        line = line_of(body)
        assert line.count(b"\n") == 1 and body_of(line) == body.encode()
        assert leaf_of(body_of(line)) == leaf_of(body.encode())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--archive", "."], "--archive: is for events that --keep-days drops; give both"),
        (["--archive", "/nowhere", "--keep-days", "9"], "--archive: /nowhere: is no folder that this user"),
    ],
)
def test_an_unusable_archive_option_is_refused_in_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", *options]) == 2
    output = capsys.readouterr().err
    assert words in output and output.count("\n") == 1
