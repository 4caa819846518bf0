"""Signed notes, cosignatures and checkpoints: C2SP signed-note, tlog-cosignature, tlog-checkpoint.

A note is text followed by one signature line per key. Two kinds of signature are supported: Ed25519 (0x01),
made by a table, and the Ed25519 cosignature with its time (0x04), made by a witness. Lines of other keys are
kept and never trusted. The text of a note must not be used before `signed_by` returns True.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519, COSIGNATURE = 0x01, 0x04
MAX_NOTE_BYTES, MAX_SIGNATURES = 256 * 1024, 32
"""Maximum size of a note and number of its signatures. The specification requires at least 16 signatures, and
those of other algorithms can be long.
"""
MAX_POSIX_SECONDS = 2**63 - 1
MAX_LEAVES = 2**63 - 1
_DASH = "— "
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}")


class BadNote(ValueError):
    """Raised if a text is not a note, a checkpoint or a key. The message never quotes it."""


class BadSignature(BadNote):
    """Raised if a line has the name and number of a known key but a signature of another key: the note is
    invalid."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """Public key with its name, to verify signatures."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def text(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_base64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        name, number, data = _key_parts(text)
        key = cls(name, data[0], data[1:])
        if key.id.hex() != number:
            raise BadNote(
                "the number of a verifier key is not that of its name and key; allowed: NAME+NUMBER+KEY"
            )
        return key

    def verify(self, signature: bytes, message: bytes) -> None:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            raise BadSignature(f"a line of {self.name} was not signed by its key") from None


@dataclass(frozen=True, slots=True, repr=False)
class SigningKey:
    """Private key with its name."""

    name: str
    private: Ed25519PrivateKey

    @classmethod
    def new(cls, name: str) -> SigningKey:
        return cls(_key_name(name), Ed25519PrivateKey.generate())

    def verifier(self, kind: int = ED25519) -> VerifierKey:
        return VerifierKey(self.name, kind, self.private.public_key().public_bytes_raw())

    def text(self, kind: int = ED25519) -> str:
        """Return the secret key as text, in the form that other programs for notes read. Store it in a file
        of mode 0600.
        """
        secret = _base64(bytes([kind]) + self.private.private_bytes_raw())
        return f"{_SECRET}{self.name}+{self.verifier(kind).id.hex()}+{secret}"

    @classmethod
    def parse(cls, text: str, kind: int = ED25519) -> SigningKey:
        if not text.startswith(_SECRET):
            raise BadNote(f"that is no private key; allowed: {_SECRET}NAME+NUMBER+KEY")
        name, number, data = _key_parts(text.removeprefix(_SECRET))
        key = cls(name, Ed25519PrivateKey.from_private_bytes(data[1:]))
        if data[0] != kind or key.verifier(kind).id.hex() != number:
            raise BadNote("a private key has another kind or number than it should have")
        return key

    def sign(self, text: str) -> str:
        """Return the signature line for the text of a note, without its newline."""
        return NoteSignature(self.name, self.verifier().id, self.private.sign(text.encode())).line()

    def cosign(self, text: str, posix_seconds: int) -> str:
        """Return the cosignature line. The cosignature states that at this time the witness had seen no
        larger tree of the log."""
        data = posix_seconds.to_bytes(8, "big") + self.private.sign(_cosigned_message(text, posix_seconds))
        return NoteSignature(self.name, self.verifier(COSIGNATURE).id, data).line()


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """Signature line of a note: name and number of the key, and the signature."""

    name: str
    id: bytes
    data: bytes

    def line(self) -> str:
        return f"{_DASH}{self.name} {_base64(self.id + self.data)}"

    @classmethod
    def parse(cls, line: str) -> NoteSignature:
        name, space, data = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or not space:
            raise BadNote("a signature line is none; allowed: a dash, the name of a key, base64")
        signed = from_base64(data)
        if len(signed) < 5:
            raise BadNote("a signature line has no signature; allowed: a dash, the name of a key, base64")
        return cls(_key_name(name), signed[:4], signed[4:])

    def is_of(self, key: VerifierKey) -> bool:
        return (self.name, self.id) == (key.name, key.id)


@dataclass(frozen=True, slots=True)
class Note:
    """Text, which ends in a newline, and its signatures."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n" + "".join(f"{signature.line()}\n" for signature in self.signatures)

    @classmethod
    def of(cls, text: str, *lines: str) -> Note:
        """Return the note of a text and its signature lines, checked like a received one. Raises BadNote."""
        return cls.parse(f"{text}\n" + "".join(f"{line}\n" for line in lines))

    @classmethod
    def parse(cls, note: str | bytes) -> Note:
        if len(note) > MAX_NOTE_BYTES:
            raise BadNote(f"a note is too long; allowed: {MAX_NOTE_BYTES} bytes")
        text, gap, lines = _decoded(note).rpartition("\n\n")
        if not gap or not lines.endswith("\n"):
            raise BadNote("a note has no signatures; allowed: a text, an empty line, signature lines")
        signed = lines[:-1].split("\n")
        if len(signed) > MAX_SIGNATURES:
            raise BadNote(f"a note has too many signatures; allowed: {MAX_SIGNATURES}")
        return cls(f"{text}\n", tuple(NoteSignature.parse(line) for line in signed))

    def signed_by(self, key: VerifierKey) -> bool:
        """Return whether this key signed the note. Raises BadSignature if a line falsely claims it."""
        if key.kind == COSIGNATURE:
            return self.cosigned_by(key) is not None
        lines = [signature for signature in self.signatures if signature.is_of(key)]
        for signature in lines:
            key.verify(signature.data, self.text.encode())
        return bool(lines)

    def cosigned_by(self, key: VerifierKey) -> int | None:
        """Return the time of this witness's last signature, in POSIX seconds, or None. Raises BadSignature
        like `signed_by`."""
        times = []
        for signature in self.signatures:
            if signature.is_of(key):
                time = int.from_bytes(signature.data[:8], "big")
                if key.kind != COSIGNATURE or not 0 < time <= MAX_POSIX_SECONDS:
                    raise BadSignature(f"a line of {key.name} is no cosignature with a time")
                key.verify(signature.data[8:], _cosigned_message(self.text, time))
                times.append(time)
        return max(times, default=None)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Statement of a log about its tree: origin, number of leaves, root."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Return the checkpoint of a note's text. Further lines that other logs add are allowed and
        ignored. Raises BadNote."""
        lines = text.removesuffix("\n").split("\n")
        if not text.endswith("\n") or len(lines) < 3 or not all(lines):
            raise BadNote("a checkpoint is none; allowed: lines with origin, size and root")
        origin, size, root = lines[:3]
        if not _DECIMAL.fullmatch(size) or int(size) > MAX_LEAVES:
            raise BadNote("the size in a checkpoint is none; allowed: a number without zeros before it")
        checkpoint = cls(origin, int(size), from_base64(root))
        if len(checkpoint.root) != sha256().digest_size:
            raise BadNote("the root in a checkpoint has a wrong length; allowed: 32 bytes in base64")
        return checkpoint


_SECRET = "PRIVATE+KEY+"  # noqa: S105  # how the file of a key begins


def _cosigned_message(text: str, posix_seconds: int) -> bytes:
    return f"cosignature/v1\ntime {posix_seconds}\n{text}".encode()


def _key_parts(text: str) -> tuple[str, str, bytes]:
    """Return name, number in hex, and 33 bytes: the kind, then the key. Raises BadNote."""
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise BadNote("that is no key; allowed: NAME+NUMBER+KEY")
    name, number, data = _key_name(parts[0]), parts[1], from_base64(parts[2])
    if len(data) != 33 or data[0] not in {ED25519, COSIGNATURE}:
        raise BadNote("that is no key for Ed25519; allowed: kind 1 or 4 and 32 bytes, in base64")
    return name, number, data


def _key_name(name: str) -> str:
    if not name or "+" in name or any(sign.isspace() for sign in name) or _CONTROL.search(name):
        raise BadNote("the name of a key is empty or has a space or a plus sign; allowed: example.com/name")
    return name


def _decoded(note: str | bytes) -> str:
    try:
        text = note.decode() if isinstance(note, bytes) else note
        text.encode()
    except UnicodeError:
        raise BadNote("a note is no UTF-8") from None
    if _CONTROL.search(text):
        raise BadNote("a note has a control character; allowed: newlines alone")
    return text


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def from_base64(text: str) -> bytes:
    """Decode base64 strictly: each value has only one text. Raises BadNote for any other text."""
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (NotBase64, UnicodeEncodeError):
        raise BadNote("base64 was expected") from None
    if _base64(data) != text:
        raise BadNote("base64 was expected in its one form")
    return data
