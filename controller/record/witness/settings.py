"""File of a witness: where it listens, its key, its store, and its tables.

    listen: {host: 192.0.2.10, port: 8081}
    key: witness.key
    store: witness.db
    logs:
      - origin: house.example/CC-01
        key: house.example/CC-01+...

All mistakes are reported at once as ``file:line: key: allowed values``. Paths are relative to the file's
folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from controller.common.files.forms import Form, fit
from controller.common.files.mistakes import Mistakes
from controller.common.files.read_errors import read_error
from controller.common.files.secret_file import BY_GROUP, exposure
from controller.common.files.yaml_lines import Lines, read_lines
from controller.common.tlog.note import COSIGNATURE, BadNote, SigningKey, VerifierKey

LOG_KEY = "the key that the table's checkpoints are signed with: NAME+NUMBER+KEY"
FileName = Annotated[str, Field(min_length=1, max_length=1024, pattern=r"^[^\x00]+$")]
MAX_KEY_BYTES = 4096


def _log_key(key: str) -> str:
    try:
        VerifierKey.parse(key)
    except BadNote as error:
        raise ValueError(f"{error}; allowed: {LOG_KEY}") from None
    return key


class ListenSection(Form):
    host: str = Field(min_length=1, description="an address of this machine, 0.0.0.0 for all of them")
    port: int = Field(ge=0, le=65535, description="a port from 0 to 65535; 0 takes any free one")


class LogSection(Form):
    origin: str = Field(
        pattern=r"^[^\x00-\x1f]{1,200}$", description="what the table's checkpoints begin with (seal.origin)"
    )
    key: Annotated[str, AfterValidator(_log_key)] = Field(description=LOG_KEY)


class WitnessFile(Form):
    listen: ListenSection = Field(description="host and port")
    key: FileName = Field(description="the file that `crisscross witness new-key` wrote")
    store: FileName = Field(description="the file in which it remembers what it has seen")
    logs: list[LogSection] = Field(min_length=1, description="a list of origin and key, one for each table")


@dataclass(frozen=True, slots=True)
class WitnessConfig:
    """Checked file of a witness, with its key."""

    listen: ListenSection
    key: SigningKey
    key_file: Path
    store: Path
    logs: Mapping[str, tuple[VerifierKey, ...]]
    """Keys by origin; more than one while a table changes its key."""


def load_witness(path: Path) -> WitnessConfig:
    """Load the file of a witness. Raises `Mistakes`, listing all errors."""
    found = read_lines(path)
    if found.data is None:
        raise Mistakes(found.report())
    file = fit(WitnessFile, found)
    key_file = path.parent / file.key if file else path
    key = _key(found, key_file) if file else None
    if found.mistakes or file is None or key is None:
        raise Mistakes(found.report())
    logs: dict[str, tuple[VerifierKey, ...]] = {}
    for each in file.logs:
        logs[each.origin] = (*logs.get(each.origin, ()), VerifierKey.parse(each.key))
    return WitnessConfig(file.listen, key, key_file, path.parent / file.store, logs)


def _key(found: Lines, file: Path) -> SigningKey | None:
    """Return the signing key, or None after adding a mistake, which never quotes the file."""
    if (why := read_error(file)) is not None:
        found.add(("key",), f"{file} {why}; allowed: what `crisscross witness new-key` wrote")
        return None
    if (exposed := exposure(file, file.stat(), refused=BY_GROUP)) is not None:
        found.add(("key",), exposed)
        return None
    with file.open("rb") as opened:
        text = opened.read(MAX_KEY_BYTES).decode("ascii", "replace")
    try:
        return SigningKey.parse(text.removesuffix("\n"), COSIGNATURE)
    except BadNote as error:
        found.add(("key",), f"{file}: {error}; allowed: what `crisscross witness new-key` wrote")
        return None
