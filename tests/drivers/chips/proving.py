"""Chips that prove themselves: a house key, its security module, and chips with and without the key."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from drivers.chips.reader import CircleReader, Proof
from drivers.chips.secure_module import ModuleLost, Response
from drivers.chips.sim.ntag424 import CardAnswer, Iso14443Chip, Ntag424
from drivers.chips.sim.software_module import SoftwareModule, chip_key
from tests.drivers.chips.lines import ModelSerial, Strike, reader_on, whole

HOUSE_KEY = bytes(range(16))
UID = "04A1B2C3D4E5F6"


def house_module(house_key: bytes = HOUSE_KEY) -> SoftwareModule:
    return SoftwareModule(lambda uid: chip_key(house_key, uid))


def house_chip(uid: str = UID) -> Ntag424:
    """Return the house's chip with this UID."""
    return Ntag424(chip_key(HOUSE_KEY, uid), random.Random(uid))


class LostModule:
    """A module whose connection is cut."""

    def respond(self, uid: str, challenge: bytes) -> Response:
        raise ModuleLost("the module does not answer")

    def begin(self, uid: str) -> Response:
        raise ModuleLost("the module does not answer")

    def verify(self, ticket: int, answer: bytes) -> bool:
        raise ModuleLost("the module does not answer")


class Recorder:
    """Reader of the attacker: it relays commands to a chip and records commands and answers."""

    def __init__(self, chip: Iso14443Chip, later_s: float = 0.0) -> None:
        self.recorded: list[tuple[bytes, CardAnswer]] = []
        self._chip = chip
        self._later_s = later_s

    def reset(self) -> None:
        self._chip.reset()

    def respond(self, apdu: bytes) -> CardAnswer:
        answer = self._chip.respond(apdu)
        self.recorded.append((apdu, answer))
        return CardAnswer(answer.apdu, answer.after_s + self._later_s, answer.broken)


class Replayer:
    """Copy with the UID of a chip and recorded answers: it gives the next answer to any command."""

    def __init__(self, answers: list[CardAnswer]) -> None:
        self._answers = answers
        self._next = 0

    def reset(self) -> None:
        self._next = 0

    def respond(self, apdu: bytes) -> CardAnswer:
        self._next += 1
        return self._answers[(self._next - 1) % len(self._answers)]


@contextmanager
def over(
    cards: Mapping[str, Iso14443Chip | None], strike: Strike = whole
) -> Iterator[tuple[ModelSerial, CircleReader]]:
    """Open a reader over these chips; `strike` counts frames after the opening.

    `cards`: application of each chip by its UID, None for a chip without one."""
    serial = ModelSerial()
    antenna = serial.line.antenna
    antenna.card_of = lambda uid: cards[uid.hex().upper()]
    antenna.set_chips([bytes.fromhex(uid) for uid in cards], 0.0)
    reader = reader_on(lambda: serial)
    try:
        assert reader.open(1.0), reader.why
        serial.strike, serial.sent = strike, 0
        serial.commands.clear()
        yield serial, reader
    finally:
        reader.close()
        serial.close()


def proven(
    card: Iso14443Chip | None, uid: str = UID, module: Callable[[], SoftwareModule] = house_module
) -> Proof:
    """Return the result of one proof of this chip, alone on the reader."""
    with over({uid: card}) as (_, reader):
        return reader.prove(uid, module())
