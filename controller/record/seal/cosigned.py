"""File of cosignatures beside a journal, `<journal>.cosigned`: the sizes of the checkpoints that other
parties (witnesses) signed, and the verification of their signatures.

Each line is the size of the tree, a space, and the signature line of a witness for the checkpoint of that
size. Lines are only added. No line is trusted: `verify_lines` verifies each against the checkpoint and the
keys of the witnesses. A last line without its end was cut off by a power failure and is ignored.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.common.tlog.note import BadNote, Note, NoteSignature, VerifierKey

_MAX_LINE_BYTES = 1024
TAIL = 16 * 1024
_LINE = re.compile(r"([1-9][0-9]{0,18}) (— .+)")
ALLOWED_LINES = "allowed: SIZE and a signature line, as the feed wrote them"


class BadCosigned(ValueError):
    """Raised if the file cannot be read, or if a line is malformed or has a wrong signature. The message is
    one line.
    """


@dataclass(frozen=True, slots=True)
class CosignedLine:
    """One line of the file: a witness's signature for the tree of `size` leaves."""

    size: int
    signature: NoteSignature

    def text(self) -> str:
        return f"{self.size} {self.signature.line()}\n"

    @classmethod
    def parse(cls, text: str) -> CosignedLine:
        found = _LINE.fullmatch(text)
        if found is None or len(text) > _MAX_LINE_BYTES:
            raise BadNote(f"that is no cosignature; {ALLOWED_LINES}")
        return cls(int(found[1]), NoteSignature.parse(found[2]))


@dataclass(frozen=True, slots=True)
class Cosignature:
    """Verified cosignature: at `posix` the witness had seen the tree of that size, and all smaller ones."""

    size: int
    witness: str
    posix: int


def cosignatures_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.cosigned")


def read_lines(file: Path) -> list[CosignedLine]:
    """Return the lines in order of arrival; none if there is no file. Raises BadCosigned, naming the line."""
    return [_line(f"{file}:{number}", text) for number, text in enumerate(_whole_lines(_read(file)), 1)]


def newest_cosigned_size(
    file: Path, keys: Sequence[VerifierKey], text_of: Callable[[int], str | None]
) -> int:
    """Return the largest tree that one of these witnesses has signed recently; 0 if none has. It reads only
    the end of the file. Raises BadCosigned like `verify_lines`."""
    tail = _read(file, TAIL)
    texts = _whole_lines(tail)[1 if len(tail) == TAIL else 0 :]
    last = {
        (line.signature.name, line.signature.id): line for text in texts for line in [_line(str(file), text)]
    }
    return max((each.size for each in verify_lines(last.values(), keys, text_of)), default=0)


def verify_lines(
    lines: Iterable[CosignedLine], keys: Sequence[VerifierKey], text_of: Callable[[int], str | None]
) -> list[Cosignature]:
    """Return the cosignatures of these witnesses. `text_of`: the text of the checkpoint of a size, or None.
    Lines of other keys are ignored. Raises BadCosigned if a line of one of these keys is for a missing
    checkpoint or for a different one."""
    return [
        Cosignature(line.size, key.name, _time(line, key, text_of(line.size)))
        for line in lines
        for key in keys
        if line.signature.is_of(key)
    ]


def _time(line: CosignedLine, key: VerifierKey, text: str | None) -> int:
    if text is None:
        raise BadCosigned(f"{key.name} has seen a checkpoint of {line.size} leaves, and there is none")
    try:
        time = Note(text, (line.signature,)).cosigned_by(key)
    except BadNote:
        time = None
    if time is None:
        raise BadCosigned(f"{key.name} has seen another checkpoint of {line.size} leaves than this one")
    return time


def append_line(file: Path, line: CosignedLine) -> None:
    """Append the line and fsync. A partial line left by a power failure is removed first."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # each witness has its own thread, and all of them append
        end = os.fstat(handle).st_size
        tail = os.pread(handle, _MAX_LINE_BYTES, max(0, end - _MAX_LINE_BYTES))
        whole = end - (len(tail) - 1 - tail.rfind(b"\n")) if tail else 0
        os.ftruncate(handle, whole)
        os.pwrite(handle, line.text().encode(), whole)
        os.fsync(handle)
    finally:
        os.close(handle)


def _line(place: str, text: str) -> CosignedLine:
    try:
        return CosignedLine.parse(text)
    except BadNote as error:
        raise BadCosigned(f"{place}: {error}") from None


def _whole_lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").split("\n")[:-1]


def _read(file: Path, max_bytes: int = 0) -> bytes:
    """Return the file, or its last `max_bytes` bytes."""
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - max_bytes) if max_bytes else 0)
            return opened.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BadCosigned(f"{file}: cannot be read: {error.strerror}; give its reader the right to") from None
