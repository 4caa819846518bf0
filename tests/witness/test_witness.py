"""A witness signs a tree only if it extends the last one that it has signed, answers with the right status,
and stores the evidence of a fork."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from controller.common.tlog.merkle import EMPTY
from controller.common.tlog.note import COSIGNATURE, Checkpoint, Note, NoteSignature, SigningKey
from controller.record.witness.add_request import AddRequest
from controller.record.witness.store import MAX_FORKS, Store, StoreError
from controller.record.witness.witness import SIZE, Witness
from tests.witness.log import ORIGIN, TABLE, WITNESS, Log

NOW = 1_795_000_000
HASH = sha256(ORIGIN.encode()).hexdigest()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "witness.db")) as opened:
        yield opened


def witness_of(store: Store) -> Witness:
    return Witness(WITNESS, {ORIGIN: (TABLE.verifier(),)}, store, lambda: NOW)


@pytest.fixture
def witness(store: Store) -> Witness:
    return witness_of(store)


def cosigned(text: str, line: str) -> int | None:
    return Note.of(text, line.removesuffix("\n")).cosigned_by(WITNESS.verifier(COSIGNATURE))


def seen(witness: Witness) -> int:
    """Return the size of the tree that the witness reports as last cosigned."""
    return Checkpoint.parse(Note.parse(witness.checkpoint(HASH).body).text).size


# ---------------------------------------------------------------------- 200


def test_a_checkpoint_and_its_extension_are_cosigned_with_the_time(witness: Witness) -> None:
    log = Log().grow(5)
    answer = witness.add(log.body(0))
    assert answer.status == 200
    assert cosigned(log.note().text, answer.body) == NOW
    log.grow(4)
    answer = witness.add(log.body(5))
    assert cosigned(log.note().text, answer.body) == NOW


def test_the_same_checkpoint_is_cosigned_again(witness: Witness) -> None:
    log = Log().grow(3)
    witness.add(log.body(0))
    assert witness.add(log.body(3)).status == 200


def test_an_empty_tree_can_be_extended(witness: Witness) -> None:
    log = Log()
    assert witness.add(log.body(0)).status == 200
    assert witness.add(log.grow(2).body(0)).status == 200


def test_signatures_of_unknown_keys_are_not_stored(witness: Witness) -> None:
    log = Log().grow(2)
    note = log.note()
    stranger = SigningKey.new("stranger.example").sign(note.text)
    ask = AddRequest.of(0, [], Note.of(note.text, stranger, note.signatures[0].line()))
    assert witness.add(ask.body()).status == 200
    kept = Note.parse(witness.checkpoint(HASH).body)
    assert [each.name for each in kept.signatures] == [ORIGIN, WITNESS.name]


def test_extension_lines_of_a_checkpoint_are_cosigned_with_it(witness: Witness) -> None:
    text = Log().grow(2).note().text + "more of it\n"
    ask = AddRequest.of(0, [], Note.of(text, TABLE.sign(text)))
    assert cosigned(text, witness.add(ask.body()).body) == NOW


# ---------------------------------------------------------------------- 400, 403, 404


BODY = Log().grow(3).body(0)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n",
        b"old 0",
        b"old  0\n\n" + BODY,
        BODY.replace(b"old 0", b"old 00"),
        BODY.replace(b"old 0", b"old -1"),
        BODY.replace(b"old 0", b"new 0"),
        BODY.replace(b"old 0\n", b"old 0\nnothash\n"),
        BODY.replace(b"old 0\n", b"old 0\nAAAA\n"),
        BODY.replace(b"old 0\n", b"old 0\n" + (b"A" * 43 + b"=\n") * 64),
        BODY.replace(b"old 0\n", b"old 0\r\n"),
        BODY.replace(b"\n3\n", b"\n03\n"),
        BODY.replace(b"\n3\n", b"\nthree\n"),
        BODY[:-1],
        BODY[: BODY.index("—".encode())],
        BODY.replace("—".encode(), b"-"),
        b"old 0\n\n\xff" + BODY[7:],
    ],
)
def test_an_invalid_request_gets_400(witness: Witness, body: bytes) -> None:
    assert witness.add(body).status == 400


def test_an_old_size_larger_than_the_checkpoint_gets_400(witness: Witness) -> None:
    log = Log().grow(9)
    witness.add(log.body(0))
    assert witness.add(AddRequest.of(9, [], log.note(4)).body()).status == 400


def test_an_unknown_log_gets_404(witness: Witness) -> None:
    assert witness.add(Log(origin="house.example/T-2").grow(2).body(0)).status == 404


def test_an_uncosigned_checkpoint_gets_404(witness: Witness) -> None:
    assert witness.checkpoint(HASH).status == 404
    assert witness.checkpoint("0" * 64).status == 404


def test_a_checkpoint_signed_by_an_unknown_key_gets_403(witness: Witness) -> None:
    assert witness.add(Log(key=SigningKey.new(ORIGIN)).grow(2).body(0)).status == 403


def test_an_invalid_signature_of_a_known_key_gets_403(witness: Witness) -> None:
    note = Log().grow(2).note()
    good = note.signatures[0]
    bad = NoteSignature(good.name, good.id, bytes(64))
    for lines in ((bad,), (good, bad), (bad, good)):
        body = AddRequest.of(0, [], Note(note.text, lines)).body()
        assert witness.add(body).status == 403
    assert witness.checkpoint(HASH).status == 404, "nothing was cosigned"


def test_either_of_two_keys_of_a_log_suffices_and_an_invalid_signature_of_either_gets_403(
    store: Store,
) -> None:
    old, new = SigningKey.new("old.example"), SigningKey.new("new.example")
    witness = Witness(WITNESS, {ORIGIN: (old.verifier(), new.verifier())}, store, lambda: NOW)
    assert witness.add(Log(key=old).grow(2).body(0)).status == 200
    assert witness.add(Log(key=new).grow(4).body(2)).status == 200
    text = Log().grow(6).note().text
    lines = (NoteSignature.parse(new.sign(text)), NoteSignature("old.example", old.verifier().id, bytes(64)))
    proof = Log().grow(6).ask(4).proof
    assert witness.add(AddRequest.of(4, list(proof), Note(text, lines)).body()).status == 403


# ---------------------------------------------------------------------- 409


def test_status_409_contains_the_last_cosigned_size(witness: Witness) -> None:
    log = Log().grow(7)
    witness.add(log.body(0))
    log.grow(3)
    for old in (0, 3, 8, 10):
        answer = witness.add(AddRequest.of(old, [], log.note()).body())
        assert (answer.status, answer.body, answer.media_type) == (409, "7\n", SIZE)


def test_status_409_contains_zero_before_the_first_cosignature(witness: Witness) -> None:
    assert witness.add(Log().grow(7).body(3)).body == "0\n"


# ---------------------------------------------------------------------- 422


def test_an_empty_tree_with_another_root_gets_422(witness: Witness) -> None:
    text = Checkpoint(ORIGIN, 0, bytes(32)).text()
    assert witness.add(AddRequest.of(0, [], Note.of(text, TABLE.sign(text))).body()).status == 422
    assert Checkpoint(ORIGIN, 0, EMPTY).text() != text


def test_a_superfluous_proof_gets_422(witness: Witness) -> None:
    log = Log().grow(4)
    assert witness.add(AddRequest.of(0, [bytes(32)], log.note()).body()).status == 422
    witness.add(log.body(0))
    assert witness.add(AddRequest.of(4, [bytes(32)], log.note()).body()).status == 422


def test_an_invalid_proof_gets_422(witness: Witness) -> None:
    log = Log().grow(4)
    witness.add(log.body(0))
    log.grow(5)
    for proof in ([], [bytes(32)], [*log.ask(4).proof, bytes(32)], [*log.ask(4).proof[:-1]]):
        assert witness.add(AddRequest.of(4, list(proof), log.note()).body()).status == 422
    assert seen(witness) == 4


# ---------------------------------------------------------------------- forks and cut tails


def test_two_trees_of_one_size_are_a_fork_and_both_notes_are_stored(
    witness: Witness, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = Log().grow(6), Log(salt="other").grow(6)
    witness.add(one.body(0))
    assert witness.add(other.body(6)).status == 422
    (fork,) = store.forks()
    assert (fork.origin, fork.posix, fork.proven) == (ORIGIN, NOW, True)
    both = [fork.kept, fork.asked]
    assert [Checkpoint.parse(note.text).size for note in both] == [6, 6]
    assert all(note.signed_by(TABLE.verifier()) for note in both), "nobody else can have made them"
    assert both[0].text != both[1].text
    assert [r.levelno for r in caplog.records if "FORK" in r.message] == [logging.ERROR]


def test_a_fork_with_a_wrong_old_size_is_detected(witness: Witness, store: Store) -> None:
    witness.add(Log().grow(6).body(0))
    assert witness.add(Log(salt="other").grow(6).body(0)).status == 409
    assert [fork.proven for fork in store.forks()] == [True]


def test_a_rewritten_tail_is_detected(
    witness: Witness, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    log = Log().grow(6)
    witness.add(log.body(0))
    cut = Log(leaves=log.leaves[:4]).grow(8, "anew")
    assert witness.add(cut.body(6)).status == 422
    assert seen(witness) == 6
    (doubt,) = store.forks()
    assert doubt.asked.text == cut.note().text
    assert "another past, or only a wrong proof" in caplog.text


def test_a_foreign_request_with_a_public_checkpoint_proves_no_fork(
    witness: Witness, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """A signed checkpoint is public, so any user can add a proof and send it."""
    log = Log().grow(4)
    witness.add(log.body(0))
    note = log.grow(5).note()
    for number in range(20):
        witness.add(log.body(0, 4))
        stranger = SigningKey.new("stranger.example").sign(note.text)
        spoilt = Note.of(note.text, note.signatures[0].line(), stranger)
        assert witness.add(AddRequest.of(4, [bytes([number]) * 32], spoilt).body()).status == 422
    assert "FORK" not in caplog.text
    assert caplog.text.count("only a wrong proof") == len(store.forks()) == 1
    assert witness.add(log.body(4)).status == 200, "the log itself is not kept from it"


def test_a_cut_tail_is_refused(witness: Witness, caplog: pytest.LogCaptureFixture) -> None:
    log = Log().grow(6)
    witness.add(log.body(0))
    answer = witness.add(log.body(0, 4))
    assert (answer.status, answer.body) == (409, "6\n")
    assert "4 leaves after 6 were cosigned" in caplog.text


def test_the_same_fork_is_logged_and_stored_once(
    witness: Witness, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    witness.add(Log().grow(6).body(0))
    for _ in range(3):
        witness.add(Log(salt="other").grow(6).body(6))
    assert len(store.forks()) == caplog.text.count("FORK") == 1


def test_stored_evidence_is_bounded_and_doubts_do_not_displace_proven_forks(store: Store) -> None:
    kept = Log().grow(1).note()
    text = kept.text

    def keep(number: int, origin: str, *, proven: bool) -> bool:
        other_note = Note(f"{text}{number}\n", kept.signatures)
        return store.store_fork(origin, NOW, kept, other_note, proven=proven)

    with store.transaction():
        proven = [keep(number, ORIGIN, proven=True) for number in range(MAX_FORKS + 5)]
        doubts = [keep(number, ORIGIN, proven=False) for number in range(MAX_FORKS + 5)]
        assert keep(1, "another.example", proven=True)
    assert (proven.count(True), doubts.count(True)) == (MAX_FORKS, MAX_FORKS + 5)
    found = [fork for fork in store.forks() if fork.origin == ORIGIN]
    assert [fork.proven for fork in found].count(True) == MAX_FORKS
    assert [fork.asked.text for fork in found][-1] == f"{text}{MAX_FORKS + 4}\n", "the newest doubts stay"
    assert len(found) == 2 * MAX_FORKS


# ---------------------------------------------------------------------- stored state


def test_a_restarted_witness_keeps_its_last_cosigned_size(tmp_path: Path) -> None:
    log = Log().grow(5)
    with closing(Store(tmp_path / "w.db")) as store:
        witness_of(store).add(log.body(0))
    with closing(Store(tmp_path / "w.db")) as store:
        witness = witness_of(store)
        assert seen(witness) == 5
        assert witness.add(log.body(0, 3)).body == "5\n"
        assert witness.add(log.grow(2).body(5)).status == 200


def test_without_the_store_nothing_is_cosigned(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = witness_of(store)
    log = Log().grow(5)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("full")

    monkeypatch.setattr(store, "keep", full)
    answer = witness.add(log.body(0))
    assert answer.status == 503
    assert "—" not in answer.body
    monkeypatch.undo()
    assert witness.add(log.body(0)).status == 200, "the transaction before has left nothing"


def test_only_one_of_two_concurrent_requests_can_extend_the_tree(tmp_path: Path) -> None:
    """The second request is checked against the state that the first one has written, so the tree cannot
    shrink."""
    log = Log().grow(9)
    with closing(Store(tmp_path / "w.db")) as one, closing(Store(tmp_path / "w.db")) as other:
        witness_of(one).add(log.body(0, 2))
        with one.transaction():
            answer = witness_of(other).add(log.body(2, 5))
            assert answer.status == 503, "it has to wait, and does not look before it may write"
        assert witness_of(other).add(log.body(2)).status == 200
        assert witness_of(one).add(log.body(2, 5)).body == "9\n"


def test_another_program_s_database_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program's"):
        Store(tmp_path / "other.db")
    (tmp_path / "text").write_text("no database, long enough to be looked at as one" * 9)
    with pytest.raises(StoreError, match="no store"):
        Store(tmp_path / "text")
    assert (tmp_path / "text").stat().st_size > 100


def test_the_store_writes_synchronously(store: Store) -> None:
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


def test_the_store_is_readable_only_by_its_user(tmp_path: Path, store: Store) -> None:
    assert (tmp_path / "witness.db").stat().st_mode & 0o077 == 0
