"""The configuration that a FEIG reader needs (FEIG.md, Configuration): read at opening, set in its RAM.

The reader's EEPROM stays unchanged. Pure: the caller passes the exchange with the reader. A reader in another
mode than host mode must never be read.

A reader that restarts loses the settings in its RAM. Two functions detect this. `mark` sets an address in
RAM, too: a restarted reader no longer has it and answers no further request. `lost_setting` compares all
settings of a reader whose address could not be changed; some of them may be saved in its EEPROM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from drivers.chips.feig_frames import (
    DONE,
    NO_BLOCK,
    OUT_OF_RANGE,
    READ_CONFIGURATION,
    STATUS,
    WRITE_CONFIGURATION,
    Answer,
)  # fmt: skip
from drivers.chips.reader import Unreadable

Call: TypeAlias = Callable[[int, bytes], Answer]
"""Sends a control byte and its data, and returns the reader's answer."""
BLOCK_BYTES = 14
_INTERFACE, _ADDRESS_BYTE = 1, 0
"""Configuration block with the reader's address, and its byte."""
_EEPROM = 0x80
"""Bit of a block's number that selects the EEPROM instead of the RAM."""
_MARK_STEP, _ADDRESSES = 100, 255


@dataclass(frozen=True, slots=True)
class Setting:
    """Required value of some bits of a configuration block.

    `mends`: whether the driver may set it. `optional`: readers without the block, or without the bits, are
    accepted.
    """

    block: int
    byte: int
    mask: int
    value: int
    words: str
    mends: bool = True
    optional: bool = False


SETTINGS = (
    Setting(1, 13, 0xFF, 0x00, "another mode than host mode", mends=False),
    Setting(3, 1, 0x08, 0x08, "no ISO 15693", optional=True),
    Setting(4, 4, 0x20, 0x00, "only chips of one family (AFI)"),
    Setting(5, 11, 0x01, 0x00, "chips are reported once only (ONT)"),
    Setting(5, 11, 0x04, 0x04, "anticollision is off", optional=True),
    Setting(15, 0, 0x01, 0x00, "the reader switches the multiplexer", optional=True),
)


def prepare(call: Call) -> tuple[Setting, ...]:
    """Set each different value in RAM and read it back. Return the settings that the reader has now: all but
    optional ones that it lacks.

    Raises Unreadable, naming the difference and the remedy, if the driver cannot set a value.
    """
    present = []
    for setting in SETTINGS:
        record = _read(call, setting)
        if record is None:
            continue
        if _fits(setting, record):
            present.append(setting)
            continue
        if not setting.mends:
            raise Unreadable(f"{_named(setting, record)}: set it to 00 and save it in the reader's EEPROM")
        if not _write(call, setting, record):
            continue
        again = _read(call, setting)
        if again is None or not _fits(setting, again):
            raise Unreadable(f"{_named(setting, record)}, and does not take another value: is it an MR200?")
        present.append(setting)
    return tuple(present)


def mark(call: Call) -> int | None:
    """Give the reader in RAM an address that its EEPROM does not have. Return it, or None if the reader
    refuses.

    The reader must be asked at that address before it is relied on.
    """
    saved = call(READ_CONFIGURATION, bytes((_INTERFACE | _EEPROM,)))
    record = call(READ_CONFIGURATION, bytes((_INTERFACE,)))
    if any(each.status != DONE or len(each.data) != BLOCK_BYTES for each in (saved, record)):
        return None
    address = (saved.data[_ADDRESS_BYTE] + _MARK_STEP) % _ADDRESSES
    data = bytes((_INTERFACE, address)) + record.data[_ADDRESS_BYTE + 1 :]
    return address if call(WRITE_CONFIGURATION, data).status == DONE else None


def lost_setting(call: Call, settings: Iterable[Setting]) -> str:
    """Return a text about the first of these settings that a restarted reader has lost, or "" if it has lost
    none. Each block is read once."""
    records: dict[int, bytes | None] = {}
    for setting in settings:
        if setting.block not in records:
            records[setting.block] = _read(call, setting)
        record = records[setting.block]
        if record is not None and not _fits(setting, record):
            return _named(setting, record)
    return ""


def _fits(setting: Setting, record: bytes) -> bool:
    return record[setting.byte] & setting.mask == setting.value


def _named(setting: Setting, record: bytes) -> str:
    return f"CFG{setting.block} byte {setting.byte} is {record[setting.byte]:02X}: {setting.words}"


def _read(call: Call, setting: Setting) -> bytes | None:
    """Return a block from RAM, or None if it is optional and the reader has none."""
    answer = call(READ_CONFIGURATION, bytes((setting.block,)))
    if answer.status == NO_BLOCK and setting.optional:
        return None
    if answer.status != DONE or len(answer.data) != BLOCK_BYTES:
        words = STATUS.get(answer.status, "no whole block")
        raise Unreadable(f"CFG{setting.block} cannot be read: the reader says {answer.status:02X}, {words}")
    return answer.data


def _write(call: Call, setting: Setting, record: bytes) -> bool:
    """Set the bits in RAM. Returns False if the reader lacks them and they are optional."""
    value = record[setting.byte] & ~setting.mask | setting.value
    data = record[: setting.byte] + bytes((value,)) + record[setting.byte + 1 :]
    answer = call(WRITE_CONFIGURATION, bytes((setting.block,)) + data)
    if answer.status == OUT_OF_RANGE and setting.optional:
        return False
    if answer.status != DONE:
        words = STATUS.get(answer.status, "")
        raise Unreadable(f"{_named(setting, record)}, and cannot be set: {answer.status:02X} {words}")
    return True
