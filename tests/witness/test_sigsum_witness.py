"""With our feed, an independent witness (Debian's sigsum-witness) cosigns a tree only if it extends the last
cosigned one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.common.tlog.note import ED25519, SigningKey
from controller.record.seal.cosigned import cosignatures_path, read_lines, verify_lines
from controller.record.witness.add_request import AddRequest
from controller.record.witness.feed import POLL_S, Feeder
from controller.record.witness.journal_reader import FileSource
from controller.record.witness.sending import HttpReply, post
from tests.witness.log import TABLE, Log, write_journal
from tests.witness.processes import running, table_file, wait_for_line
from tests.witness.sigsum import NEEDED, SigsumWitness, converted, log_key

pytestmark = [pytest.mark.serial, NEEDED]

SIZES = (1, 2, 3, 7, 8, 9, 40, 64, 65, 1000, 1024, 1025, 5000)
"""Sizes of trees in leaves, chosen on both sides of powers of two and far apart."""
KEY = log_key(TABLE)


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[SigsumWitness]:
    """Run a sigsum witness that knows our log and has cosigned nothing."""
    other = SigsumWitness(tmp_path, KEY.verifier())
    other.make_keys()
    with other.running():
        yield other


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def new_log(**more: str) -> Log:
    return Log(KEY.name, KEY, **more)


def feeder(journal: Path, witness: SigsumWitness, seen: int = 0) -> Feeder:
    return Feeder(FileSource(journal), witness.key, witness.url, post, seen)


def cosigned_sizes(journal: Path, witness: SigsumWitness, log: Log) -> list[int]:
    """Return the sizes of the checkpoints in the file beside the journal; our code verifies each
    cosignature."""
    found = verify_lines(
        read_lines(cosignatures_path(journal)), [witness.key], lambda size: log.note(size).text
    )
    return [each.size for each in found]


# ---------------------------------------------------------------------- keys


def test_sigsum_key_reads_our_key_and_writes_the_same_text() -> None:
    public = converted("from-vkey", text=KEY.verifier().text())
    assert converted("to-vkey", text=public) == KEY.verifier(ED25519).text()
    assert converted("to-vkey", "-n", TABLE.name, text=public) == TABLE.verifier().text()


# ---------------------------------------------------------------------- cosigned checkpoints


def test_sigsum_witness_cosigns_each_checkpoint_of_the_feed(journal: Path, witness: SigsumWitness) -> None:
    log = new_log()
    for position, size in enumerate(SIZES):
        write_journal(journal, log.grow(size - len(log.leaves)), [size])
        assert feeder(journal, witness, ([0, *SIZES])[position]).step() == POLL_S
    assert cosigned_sizes(journal, witness, log) == list(SIZES)


async def test_sigsum_witness_cosigns_for_a_restarted_feed_process(
    journal: Path, witness: SigsumWitness
) -> None:
    log = new_log().grow(7)
    write_journal(journal, log, [7])

    async def feed(size: int) -> None:
        async with running(
            "feed", str(table_file(journal.parent, witness.url, witness.key, KEY.name))
        ) as process:
            assert (await wait_for_line(process, r"has cosigned (\d+) leaves"))[1] == str(size)

    await feed(7)
    write_journal(journal, log.grow(58), [65])
    await feed(65)
    assert cosigned_sizes(journal, witness, log) == [7, 65]


def test_a_restarted_sigsum_witness_cosigns_for_a_new_feed_and_refuses_a_cut_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    witness, log = SigsumWitness(tmp_path, KEY.verifier()), new_log().grow(9)
    witness.make_keys()
    write_journal(tmp_path / "journal.db", log, [9])
    with witness.running():
        assert feeder(tmp_path / "journal.db", witness).step() == POLL_S
    write_journal(tmp_path / "cut.db", new_log().grow(5), [5])
    write_journal(tmp_path / "journal.db", log.grow(3), [12])
    caplog.set_level(logging.WARNING, "crisscross.feed")
    with witness.running():
        assert feeder(tmp_path / "cut.db", witness).step() > POLL_S
        assert feeder(tmp_path / "journal.db", witness).step() == POLL_S
    assert [words for words in caplog.messages if "its end is missing" in words] == caplog.messages != []
    assert cosigned_sizes(tmp_path / "journal.db", witness, log) == [9, 12]


# ---------------------------------------------------------------------- refused requests


@pytest.fixture
def witness_of_9(witness: SigsumWitness) -> SigsumWitness:
    """Return a witness that has cosigned a tree of 9 leaves."""
    assert post(witness.url, new_log().grow(9).body(0)).status == 200
    return witness


def test_sigsum_witness_refuses_a_fork_of_the_same_size(witness_of_9: SigsumWitness) -> None:
    fork = new_log(salt="fork").grow(9).note()
    assert post(witness_of_9.url, AddRequest.of(9, [], fork).body()).status == 422


def test_sigsum_witness_refuses_a_larger_fork(witness_of_9: SigsumWitness) -> None:
    assert post(witness_of_9.url, new_log(salt="fork").grow(20).body(9)).status == 422


@pytest.mark.parametrize("step", range(5))
def test_sigsum_witness_refuses_a_proof_with_a_changed_step(witness_of_9: SigsumWitness, step: int) -> None:
    ask = new_log().grow(20).ask(9)
    proof = list(ask.proof)
    proof[step] = bytes([proof[step][0] ^ 1]) + proof[step][1:]
    assert post(witness_of_9.url, AddRequest.of(9, proof, ask.note).body()).status == 422
    assert post(witness_of_9.url, ask.body()).status == 200


def test_sigsum_witness_answers_a_stale_old_size_with_its_own(witness_of_9: SigsumWitness) -> None:
    assert post(witness_of_9.url, new_log().grow(20).body(5)) == HttpReply(409, "text/x.tlog.size", b"9\n")


def test_sigsum_witness_refuses_a_key_of_another_log(witness_of_9: SigsumWitness) -> None:
    foreign = SigningKey(KEY.name, SigningKey.new("x").private)
    assert post(witness_of_9.url, Log(KEY.name, foreign).grow(20).body(9)).status == 403


def test_sigsum_witness_refuses_another_origin(witness_of_9: SigsumWitness) -> None:
    assert post(witness_of_9.url, Log().grow(20).body(9)).status == 404
