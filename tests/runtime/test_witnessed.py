"""If cosignatures are missing, the table shows one notice and plays on, and a cosignature that does not
verify counts as missing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from controller.common.clock import ManualClock
from controller.common.tlog.note import COSIGNATURE, NoteSignature, SigningKey
from controller.game.model.events import Stamp
from controller.game.model.irregularities import Code
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.results import RoundResult
from controller.record.seal.cosigned import TAIL, CosignedLine, append_line, cosignatures_path
from controller.record.seal.keys import Keys
from controller.record.witness.feed import POLL_S, Feeder
from controller.record.witness.journal_reader import FileSource
from controller.record.witness.sending import HttpReply
from controller.record.witness.store import Store
from controller.record.witness.witness import Witness
from controller.settings.config import TableConfig, load_config
from controller.table.daemon.witness_monitor import WitnessMonitor
from tests.runtime.child import Child, run_arguments, started, table_file
from tests.witness.served import serving

STAMP = Stamp(1000, "2026-11-22T20:00:00.000Z")
WITNESS, OTHER = SigningKey.new("surveillance.example/w"), SigningKey.new("surveillance.example/w")
AFTER_S = 60


def table(folder: Path, *witnesses: SigningKey) -> TableConfig:
    listed = [{"key": key.verifier(COSIGNATURE).text(), "url": "http://w"} for key in witnesses]
    keys = {
        "table": "T-1",
        "rules": "pennsylvania",
        "journal": "journal.db",
        "shoe": {"port": "/dev/shoe"},
        "seal": {"witnesses": listed, "notice_after_s": AFTER_S},
    }
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(keys))
    return load_config(file)


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    return table(tmp_path, WITNESS)


@pytest.fixture
def journal(config: TableConfig) -> Iterator[Journal]:
    with closing(
        Journal(config.journal, durable=False, keys=config.key_folder, origin=config.origin)
    ) as opened:
        yield opened


class Looking:
    """Monitor of the cosignatures with a clock that the test moves. The test queries it as the daemon's loop
    does."""

    def __init__(self, config: TableConfig, journal: Journal) -> None:
        self.clock = ManualClock()
        self.witnessed = WitnessMonitor(config, journal, self.clock.seconds)
        self.notified = False

    def after(self, seconds: float) -> bool:
        """Advance the clock by `seconds`; return whether the notice is shown."""
        self.clock.forward(round(seconds * 1000))
        self.notified = self.witnessed.words(reported=self.notified) is not None
        return self.notified


def play(journal: Journal) -> int:
    """End a round; return the size of its signed checkpoint."""
    journal.append([JournalEntry(None)], STAMP)
    journal.sign([RoundResult(journal.head, journal.head, "record", "{}")])
    return journal.signed_size()


def sign(journal: Journal, size: int, key: SigningKey = WITNESS) -> None:
    text = journal.signed_text(size)
    assert text is not None
    append_line(
        cosignatures_path(journal.path),
        CosignedLine(size, NoteSignature.parse(key.cosign(text, 1_795_000_000))),
    )


def test_a_table_without_witnesses_has_no_notice(tmp_path: Path, journal: Journal) -> None:
    looking = Looking(table(tmp_path), journal)
    play(journal)
    assert not looking.after(0)
    assert not looking.after(AFTER_S * 100)


def test_the_notice_appears_exactly_when_the_time_is_over(config: TableConfig, journal: Journal) -> None:
    looking = Looking(config, journal)
    assert not looking.after(AFTER_S * 100), "nothing is signed yet, so nobody has to witness it"
    play(journal)
    assert not looking.after(1)
    assert not looking.after(AFTER_S - 1)
    assert looking.after(1)


def test_the_notice_ends_when_a_witness_has_signed(config: TableConfig, journal: Journal) -> None:
    looking = Looking(config, journal)
    size = play(journal)
    looking.after(0)
    assert looking.after(AFTER_S)
    sign(journal, size)
    assert not looking.after(1)


def test_a_witness_one_round_behind_causes_no_notice(config: TableConfig, journal: Journal) -> None:
    looking = Looking(config, journal)
    size = play(journal)
    for _ in range(5):
        behind, size = size, play(journal)
        sign(journal, behind)
        assert not looking.after(AFTER_S - 1)


def test_the_notice_also_ends_with_a_signature_of_the_round_before(
    config: TableConfig, journal: Journal
) -> None:
    looking = Looking(config, journal)
    size = play(journal)
    looking.after(0)
    assert looking.after(AFTER_S)
    play(journal)
    sign(journal, size)
    assert not looking.after(1)


def test_further_rounds_do_not_delay_the_notice(config: TableConfig, journal: Journal) -> None:
    looking = Looking(config, journal)
    shown = []
    for _ in range(4):
        play(journal)
        shown.append(looking.after(AFTER_S / 3))
    assert shown == [False, False, False, True]


def test_one_of_two_witnesses_is_enough(tmp_path: Path, journal: Journal) -> None:
    looking = Looking(table(tmp_path, WITNESS, OTHER), journal)
    sign(journal, play(journal), OTHER)
    looking.after(0)
    assert not looking.after(AFTER_S)


def test_a_start_does_not_end_the_notice(config: TableConfig, journal: Journal) -> None:
    sign(journal, play(journal))
    play(journal)
    again = Looking(config, journal)
    again.notified = True
    assert again.after(1)


@pytest.mark.parametrize("line", ["garbage", "of another key", "of another text", "of no checkpoint"])
def test_an_unverified_line_does_not_count(
    config: TableConfig, journal: Journal, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    looking = Looking(config, journal)
    size, file = play(journal), cosignatures_path(config.journal)
    looking.after(0)
    if line == "garbage":
        file.write_text("garbage\n")
    elif line == "of another key":
        sign(journal, size, OTHER)
    else:
        other = NoteSignature.parse(WITNESS.cosign("another\n1\ntext\n", 1))
        append_line(file, CosignedLine(size if line == "of another text" else size + 1, other))
    assert looking.after(AFTER_S)
    assert looking.after(1)
    assert len(caplog.records) == (line != "of another key"), "it is logged once"


def test_only_the_end_of_a_long_cosignature_file_is_read(config: TableConfig, journal: Journal) -> None:
    file = cosignatures_path(config.journal)
    file.write_text("nothing that could be read\n" * 10_000)
    size = play(journal)
    for _ in range(TAIL // 120):
        sign(journal, size)
    assert Looking(config, journal).witnessed._cosigned == size


def test_the_notice_does_not_hold_play() -> None:
    kind = Code.UNWITNESSED.kind
    assert (kind.grade, kind.cleared, kind.decided) == ("notice", "itself", False)


def test_a_round_is_cosigned_through_feed_and_witness_even_over_a_start(
    config: TableConfig, journal: Journal, tmp_path: Path
) -> None:
    """The journal's own checkpoints pass through feed, witness and notice within one process."""
    key = Keys.read(config.key_folder).signing.verifier()
    with closing(Store(tmp_path / "witness.db")) as store:
        witness = Witness(WITNESS, {config.origin: (key,)}, store, lambda: 1_795_000_000)

        def send(_url: str, body: bytes) -> HttpReply:
            answer = witness.add(body)
            return HttpReply(answer.status, answer.media_type, answer.body.encode())

        feeder = Feeder(FileSource(config.journal), WITNESS.verifier(COSIGNATURE), "http://w", send)
        looking = Looking(config, journal)
        for _ in range(20):
            play(journal)
            assert feeder.step() == POLL_S
            assert not looking.after(AFTER_S + 1)
        assert feeder.seen == journal.signed_size()


@pytest.mark.serial
async def test_a_running_table_shows_the_notice_plays_on_and_ends_it(tmp_path: Path) -> None:
    origin, path, verifier = "crisscross.invalid/T-1", tmp_path / "journal.db", WITNESS.verifier(COSIGNATURE)

    async def run(url: str | None, work: Callable[[Child], Awaitable[None]]) -> None:
        listed = [{"key": verifier.text(), "url": url}] if url else []
        seal = {"witnesses": listed, "notice_after_s": 1}
        async with started(tmp_path, run_arguments(table_file(tmp_path, seal=seal))) as child:
            await child.ready()
            await work(child)
            assert await child.end() == 0, await child.words()

    async def begun(_child: Child) -> None:
        """Do nothing, because the start alone has already written the rules into the journal."""

    async def witnessed(child: Child) -> None:
        await shows(child, there=True)
        assert (await child.touch(do="sign_on", number="D7"))[0] == 200, "it plays on"
        assert await asyncio.to_thread(Feeder(FileSource(path), verifier, address).step) == POLL_S
        await shows(child, there=False)

    await run(None, begun)
    with closing(Journal(path, origin=origin)) as journal:
        play(journal)
    key = Keys.read(tmp_path / "journal.db.keys").signing.verifier()
    with serving(tmp_path / "witness.db", WITNESS, {origin: (key,)}, lambda: 1_795_000_000) as address:
        await run(address, witnessed)


async def shows(child: Child, *, there: bool) -> None:
    await child.until(lambda view: ("unwitnessed" in str(view["alerts"])) is there)
