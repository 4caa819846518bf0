"""No attack on chips that prove themselves gains more than is stated, tried through the real driver.

SECURITY.md ("Attackers") and decision 19 state these gains.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from drivers.chips.ntag424 import SELECT_APPLICATION, first_part
from drivers.chips.secure_module import ModuleLost, SecureModule
from drivers.chips.sim.ntag424 import CardAnswer, Iso14443Chip, Ntag424
from drivers.chips.sim.pn532 import FWT_S
from drivers.chips.sim.software_module import SoftwareModule, chip_key
from drivers.ports import CircleId
from tests.drivers.chips.proving import (
    HOUSE_KEY,
    UID,
    Recorder,
    Replayer,
    house_chip,
    house_module,
    over,
    proven,
)
from tests.drivers.chips.virtual_pn532 import ProvingTable

pytestmark = pytest.mark.serial

CHEAP = "04000000000001"
"""UID of a chip of small value that the attacker owns."""
OK = b"\x90\x00"


# ------------------------------------------------------------------ copied numbers


@pytest.mark.parametrize(
    "copy",
    [
        None,
        Ntag424(bytes(16), random.Random(1)),
        Ntag424(chip_key(HOUSE_KEY, CHEAP), random.Random(1)),
        Ntag424(HOUSE_KEY[::-1], random.Random(1)),
    ],
    ids=["a number alone", "a new chip", "the key of a cheap chip", "a guessed key"],
)
def test_a_copied_number_gains_nothing(copy: Iso14443Chip | None) -> None:
    assert proven(copy).verdict == "false"


def test_the_key_of_one_chip_proves_no_other_chip() -> None:
    stolen = chip_key(HOUSE_KEY, CHEAP)
    assert proven(Ntag424(stolen, random.Random(1)), CHEAP).verdict == "proven"
    assert proven(Ntag424(stolen, random.Random(1)), UID).verdict == "false"


# ------------------------------------------------------------------ recorded proofs


def test_no_number_of_recorded_proofs_proves_a_chip() -> None:
    recorder = Recorder(house_chip())
    module = house_module()
    with over({UID: recorder}) as (_, reader):
        assert {reader.prove(UID, module).verdict for _ in range(30)} == {"proven"}
    answers = [answer for _, answer in recorder.recorded]
    proofs = [answers[at : at + 3] for at in range(0, len(answers), 3)]
    for recorded in proofs:
        assert proven(Replayer(recorded)).verdict == "false"
    for one, two in pairwise(proofs):
        assert proven(Replayer([*one[:2], two[2]])).verdict == "false"


# ------------------------------------------------------------------ a stolen module


class Imitator:
    """Imitation of a chip by a stolen module: it answers the reader with the module's messages."""

    def __init__(self, module: SecureModule, forge: Callable[[SecureModule, bytes], bytes]) -> None:
        self._module = module
        self._forge = forge
        self._dice = random.Random(1)

    def reset(self) -> None: ...

    def respond(self, apdu: bytes) -> CardAnswer:
        if apdu == SELECT_APPLICATION:
            return CardAnswer(OK)
        if apdu == first_part(4):
            return CardAnswer(self._dice.randbytes(16) + b"\x91\xaf")
        return CardAnswer(self._forge(self._module, apdu[5:-1]) + b"\x91\x00")


def echo(module: SecureModule, message: bytes) -> bytes:
    """Answer the reader with its own message."""
    return message


def fed(module: SecureModule, message: bytes) -> bytes:
    """Answer with the module's response to the reader's first block, its encrypted number, as a challenge."""
    return module.respond(UID, message[:16]).message


def swapped(module: SecureModule, message: bytes) -> bytes:
    """Answer with the blocks of the module's response exchanged. The second block has the reader's number,
    rotated, under a mask."""
    made = module.respond(UID, message[:16]).message
    return made[16:] + made[:16]


def turned(times: int) -> Callable[[SecureModule, bytes], bytes]:
    """Feed the second block of the response back `times` times. After thirteen times its rotation is that of
    a right answer, but the mask remains."""

    def forge(module: SecureModule, message: bytes) -> bytes:
        block = message[:16]
        for _ in range(times):
            block = module.respond(UID, block).message[16:]
        return block + module.respond(UID, block).message[:16]

    return forge


@pytest.mark.parametrize("forge", [echo, fed, swapped, *(turned(times) for times in (1, 3, 12, 13, 14, 29))])
def test_a_stolen_module_cannot_imitate_a_chip(
    forge: Callable[[SecureModule, bytes], bytes],
) -> None:
    imitator = Imitator(house_module(), forge)
    with over({UID: imitator}) as (_, reader):
        for _ in range(10):
            assert reader.prove(UID, house_module()).verdict == "false"


def test_each_message_of_a_module_has_a_new_random_number() -> None:
    """Decision 19 assumes that each message has a new RndA."""
    module = house_module()
    messages = [module.respond(UID, bytes(16)).message for _ in range(200)]
    assert len({message[:16] for message in messages}) == len({message[16:] for message in messages}) == 200
    fixed = SoftwareModule(lambda uid: bytes(16), bytes)
    assert len({fixed.respond(UID, bytes(16)).message for _ in range(9)}) == 1


def test_a_ticket_accepts_only_one_answer() -> None:
    """`verify` is no oracle, because the first answer to a ticket closes the ticket."""
    module = house_module()
    for _ in range(50):
        ticket = module.respond(UID, bytes(16)).ticket
        assert not module.verify(ticket, bytes(32))
        for each in range(1, 4):
            with pytest.raises(ModuleLost):
                module.verify(ticket, bytes([each]) * 32)


# ------------------------------------------------------------------ a relay


def test_a_relay_to_the_real_chip_is_proven_if_it_answers_in_time() -> None:
    assert proven(Recorder(house_chip(), later_s=0.025)).verdict == "proven"
    assert proven(Recorder(house_chip(), later_s=FWT_S)).verdict == "unfinished"


def test_a_chip_relayed_to_two_tables_at_once_is_proven_at_one_at_most() -> None:
    chip = house_chip()
    with over({UID: chip}) as (_, here):

        class SlowModule:
            """Module that delays the first table, so that the second table begins its proof meanwhile."""

            def __init__(self) -> None:
                self.module = house_module()
                self.other = ""

            def respond(self, uid: str, challenge: bytes) -> object:
                if not self.other:
                    self.other = proven(Recorder(chip)).verdict
                return self.module.respond(uid, challenge)

            def verify(self, ticket: int, answer: bytes) -> bool:
                return self.module.verify(ticket, answer)

        slow = SlowModule()
        first = here.prove(UID, slow)  # type: ignore[arg-type]
    assert [first.verdict, slow.other].count("proven") <= 1


# ------------------------------------------------------------------ a swapped chip


def swap(table: ProvingTable, circle: CircleId) -> str:
    """Swap the chip of the circle for a copy between two readings."""
    (chip,) = table.ports[circle].line.antenna._chips
    chip.card = None
    return chip.uid.hex().upper()


def seconds_until_reported(table: ProvingTable, circle: CircleId, uid: str) -> float:
    """Return the time in s until the copy is reported."""
    began = table.now
    while uid not in table.proofs.unproven(circle):
        table.slot()
        assert table.now < began + 3600
    return table.now - began


def test_a_swapped_chip_is_reported_at_the_next_payout() -> None:
    table = ProvingTable(1, random_s=10_000)
    list(table.until(3.0))
    uid = swap(table, (3, "across"))
    list(table.until(6.0))
    assert table.proofs.unproven((3, "across")) == ()
    table.proofs.prove([(3, "across")])
    assert seconds_until_reported(table, (3, "across"), uid) < 1.0


def test_a_swapped_chip_is_found_by_random_proofs_at_the_set_rate() -> None:
    """The table has 42 chips and makes a random proof every 0.3 s on average. Each chip is therefore tested
    after 13 s on average."""
    times = []
    for seed in range(4):
        table = ProvingTable(1, random_s=0.3)
        table.proofs.dice = random.Random(seed)
        list(table.until(2.0))
        times.append(seconds_until_reported(table, (3, "across"), swap(table, (3, "across"))))
    assert sum(times) / len(times) < 2 * 42 * 0.3
