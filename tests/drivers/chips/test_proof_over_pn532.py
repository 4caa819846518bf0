"""A house chip proves itself through the real driver and its library, over a simulated PN532 and NTAG 424
DNA; no fault accuses it.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from drivers.chips.ntag424 import SELECT_APPLICATION, first_part
from drivers.chips.sim.ntag424 import MAX_SEQUENTIAL_FAILURES, Ntag424
from drivers.chips.sim.pn532 import FWT_S
from tests.drivers.chips.lines import uids
from tests.drivers.chips.proving import (
    UID,
    LostModule,
    Recorder,
    Replayer,
    house_chip,
    house_module,
    over,
    proven,
)

pytestmark = pytest.mark.serial


def test_a_house_chip_proves_itself_and_the_field_is_switched_off() -> None:
    with over({UID: house_chip()}) as (serial, reader):
        for _ in range(2):
            serial.commands.clear()
            assert reader.prove(UID, house_module()).verdict == "proven"
            assert serial.commands == [0x32, 0x4A, 0x40, 0x40, 0x40, 0x32]
            assert not serial.line.antenna.on
            assert reader.read().uids == (UID,)
        assert reader.state == "open"


@pytest.mark.parametrize("uid", ["01020304", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6010203"])
def test_a_uid_without_an_application_is_false(uid: str) -> None:
    proof = proven(None, uid)
    assert (proof.verdict, proof.uid) == ("false", uid)
    assert "no ISO/IEC 14443-4" in proof.why


def test_each_chip_of_a_stack_proves_itself_separately() -> None:
    cards = {uid: house_chip(uid) for uid in uids(4)}
    with over({**cards, UID: None}) as (_, reader):
        for uid in cards:
            assert reader.prove(uid, house_module()).verdict == "proven"
        assert reader.prove(UID, house_module()).verdict == "false"
        assert reader.read().uids == tuple(sorted((*cards, UID)))


def test_a_chip_with_another_key_is_false_and_counts_the_failure_itself() -> None:
    chip = house_chip("04000000000001")
    proof = proven(chip)
    assert proof.verdict == "false"
    assert "91AE" in proof.why
    assert chip.failures[4] == 1


def test_a_delaying_chip_is_not_accused_and_proves_itself_after_its_delay() -> None:
    chip = house_chip()
    chip.sequential[4] = MAX_SEQUENTIAL_FAILURES
    with over({UID: chip}) as (_, reader):
        verdicts = [reader.prove(UID, house_module()).verdict for _ in range(3)]
        # each proof selects the chip anew, which does not shorten the delay
        assert verdicts == ["unfinished"] * 3
        chip.reset()
        chip.respond(SELECT_APPLICATION)
        answers = [chip.respond(first_part(4)).apdu for _ in range(4)]
        assert [answer[-2:].hex() for answer in answers if answer] == ["91ad", "91ad", "91ad", "91af"]


def away(commands: int) -> Ntag424:
    """Return a chip that answers `commands` commands and is then pulled away."""
    chip = house_chip()
    chip.leaves_after = commands
    return chip


@pytest.mark.parametrize("commands", [0, 1, 2])
def test_a_chip_removed_during_its_proof_is_not_accused(commands: int) -> None:
    proof = proven(away(commands))
    assert proof.verdict == "unfinished"
    assert "did not arrive" in proof.why


def test_a_chip_removed_before_its_proof_is_not_accused() -> None:
    with over({}) as (_, reader):
        assert reader.prove(UID, house_module()).verdict == "unfinished"
        assert (reader.state, reader.read().uids) == ("open", ())


@pytest.mark.parametrize(("late_s", "noisy"), [(FWT_S, False), (0.0, True)])
def test_late_and_damaged_answers_accuse_no_chip_and_a_later_proof_counts(late_s: float, noisy: bool) -> None:
    chip = house_chip()
    chip.late_s, chip.noisy = late_s, noisy
    with over({UID: chip}) as (_, reader):
        assert reader.prove(UID, house_module()).verdict == "unfinished"
        chip.late_s, chip.noisy = 0.0, False
        assert reader.prove(UID, house_module()).verdict == "proven"


def test_a_copy_beside_its_original_is_not_proven() -> None:
    """The house's chip and a copy without its key answer at the same moment."""
    with over({UID: house_chip()}) as (serial, reader):
        antenna = serial.line.antenna
        antenna.card_of = lambda uid: Ntag424(bytes(16), antenna._order)
        antenna.lay(bytes.fromhex(UID), 0.0)
        assert reader.read().uids == (UID,)
        assert reader.prove(UID, house_module()).verdict == "unfinished"


def test_recorded_answers_are_false() -> None:
    """The answers were recorded by a reader of the attacker, or at the table itself."""
    recorder = Recorder(house_chip())
    assert proven(recorder).verdict == "proven"
    assert proven(Replayer([answer for _, answer in recorder.recorded])).verdict == "false"


def test_a_lost_module_accuses_no_chip_and_the_field_is_switched_off() -> None:
    with over({UID: house_chip()}) as (serial, reader):
        assert reader.prove(UID, LostModule()).verdict == "no module"
        assert not serial.line.antenna.on


FRAMES = 12
"""ACK and answer to each of six commands."""


@pytest.mark.parametrize("kind", ["lost", "cut", "turned", "twice"])
@pytest.mark.parametrize("at", range(FRAMES))
def test_damage_to_any_one_frame_accuses_no_chip_and_the_reader_recovers(kind: str, at: int) -> None:
    def strike(number: int, frame: bytes) -> Iterable[bytes]:
        if number != at:
            return [frame]
        middle = len(frame) // 2
        turned = frame[:middle] + bytes((frame[middle] ^ 0x10,)) + frame[middle + 1 :]
        return {"lost": [], "cut": [frame[:middle]], "turned": [turned], "twice": [frame, frame]}[kind]

    with over({UID: house_chip()}, strike) as (serial, reader):
        assert reader.prove(UID, house_module()).verdict in ("proven", "unfinished")
        assert reader.state == "open", reader.why
        assert reader.prove(UID, house_module()).verdict == "proven"
        assert reader.read().uids == (UID,)
        assert not serial.line.antenna.on
