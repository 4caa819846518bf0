"""An independent program, Debian's sigsum-verify, verifies the cosignatures of our witness.

A proof of sigsum contains everything that we write: the signature of a checkpoint, the cosignature of a
witness and the path from a leaf to the root. Our code makes each of them here, and the witness cosigns over
HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.common.tlog.merkle import inclusion, leaf_hash
from controller.common.tlog.note import COSIGNATURE, Checkpoint, Note, SigningKey
from controller.record.witness.sending import post
from tests.witness.log import TABLE, WITNESS, Log
from tests.witness.served import serving
from tests.witness.sigsum import NEEDED, converted, log_key, run

pytestmark = [pytest.mark.serial, NEEDED]

NOW = 1_795_000_000
KEY = log_key(TABLE)
SUBMITTER = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
MESSAGE = "record of a round"


def public(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes_raw()


def key_hash(private: Ed25519PrivateKey) -> bytes:
    """Return the hash of a public key, by which sigsum names the key."""
    return sha256(public(private)).digest()


def leaf_signature() -> bytes:
    return SUBMITTER.sign(b"sigsum.org/v1/tree-leaf\x00" + checksum())


def checksum() -> bytes:
    return sha256(sha256(MESSAGE.encode()).digest()).digest()


@dataclass(frozen=True)
class Proof:
    """The fields of a sigsum proof, version 2."""

    size: int
    root: bytes
    signature: bytes
    cosigner: bytes
    time: int
    cosignature: bytes
    index: int
    path: tuple[bytes, ...]

    def text(self) -> str:
        path = "".join(f"node_hash={step.hex()}\n" for step in self.path)
        inclusion_part = f"\nleaf_index={self.index}\n{path}" if self.size > 1 else ""
        return (
            f"version=2\nlog={key_hash(TABLE.private).hex()}\n"
            f"leaf={key_hash(SUBMITTER).hex()} {leaf_signature().hex()}\n\n"
            f"size={self.size}\nroot_hash={self.root.hex()}\nsignature={self.signature.hex()}\n"
            f"cosignature={self.cosigner.hex()} {self.time} {self.cosignature.hex()}\n{inclusion_part}"
        )


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[str]:
    """Yield the address of our witness, which knows the log."""
    with serving(tmp_path / "witness.db", WITNESS, {KEY.name: (KEY.verifier(),)}, lambda: NOW) as url:
        yield url


def verify_lines(url: str, size: int, index: int, old: int = 0) -> Proof:
    """Return the lines of a proof of the leaf at `index` in a tree of `size` leaves, which the witness at
    `url` cosigns. `old`: size that the witness has cosigned before."""
    log = Log(KEY.name, KEY).grow(size)
    log.leaves[index] = leaf_hash(checksum() + leaf_signature() + key_hash(SUBMITTER))
    if old:
        assert post(url, log.body(0, old)).status == 200
    reply = post(url, log.body(old))
    assert reply.status == 200
    note = Note.of(log.note().text, log.note().signatures[0].line(), reply.body.decode().rstrip("\n"))
    signed, cosigned = (each.data for each in note.signatures)
    return Proof(
        size, Checkpoint.parse(note.text).root, signed, key_hash(WITNESS.private),
        int.from_bytes(cosigned[:8], "big"), cosigned[8:], index, tuple(inclusion(log.leaves, index)),
    )  # fmt: skip


def verified(
    folder: Path,
    proof: Proof,
    message: str = MESSAGE,
    log: SigningKey = TABLE,
    cosigner: SigningKey = WITNESS,
) -> str:
    """Return the complaint of sigsum-verify, which trusts only this log and this witness, or "" if it accepts
    the proof."""
    (folder / "proof").write_text(proof.text(), encoding="ascii")
    (folder / "submitter.pub").write_text(f"{converted('from-hex', text=public(SUBMITTER).hex())}\n")
    policy = f"log {public(log.private).hex()}\nwitness w {public(cosigner.private).hex()}\nquorum w\n"
    (folder / "policy").write_text(policy, encoding="ascii")
    files = ("-k", str(folder / "submitter.pub"), "-p", str(folder / "policy"), str(folder / "proof"))
    done = run("sigsum-verify", *files, text=message)
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


@pytest.mark.parametrize(
    ("old", "size", "index"),
    [(0, 1, 0), (1, 2, 1), (2, 3, 2), (3, 8, 7), (8, 9, 0), (9, 64, 33), (64, 65, 64), (65, 1025, 1000)],
)
def test_sigsum_verify_accepts_our_checkpoint_cosignature_and_path(
    witness: str, tmp_path: Path, old: int, size: int, index: int
) -> None:
    assert verified(tmp_path, verify_lines(witness, size, index, old)) == ""


def turned(data: bytes) -> bytes:
    """Return the bytes with one bit of the first byte flipped."""
    return bytes([data[0] ^ 1]) + data[1:]


def test_sigsum_verify_refuses_each_changed_field(witness: str, tmp_path: Path) -> None:
    good = verify_lines(witness, 40, 17)
    changed = [
        replace(good, size=41),
        replace(good, root=turned(good.root)),
        replace(good, signature=turned(good.signature)),
        replace(good, cosigner=turned(good.cosigner)),
        replace(good, time=good.time + 1),
        replace(good, cosignature=turned(good.cosignature)),
        replace(good, index=16),
        replace(good, path=good.path[:-1]),
        *(
            replace(good, path=(*good.path[:at], turned(step), *good.path[at + 1 :]))
            for at, step in enumerate(good.path)
        ),
    ]
    assert [each for each in changed if not verified(tmp_path, each)] == []
    assert verified(tmp_path, good) == ""


def test_sigsum_verify_refuses_another_leaf_log_or_witness(witness: str, tmp_path: Path) -> None:
    good, foreign = verify_lines(witness, 40, 17), SigningKey.new("x")
    assert "leaf signature not valid" in verified(tmp_path, good, message="another record")
    assert "unknown log" in verified(tmp_path, good, log=foreign)
    assert "not enough cosignatures" in verified(tmp_path, good, cosigner=foreign)


def test_sigsum_key_reads_the_key_of_our_witness_and_writes_the_same_text() -> None:
    text = WITNESS.verifier(COSIGNATURE).text()
    key = converted("from-vkey", text=text)
    assert converted("to-vkey", "-n", WITNESS.name, "-t", "cosignature/v1", text=key) == text
