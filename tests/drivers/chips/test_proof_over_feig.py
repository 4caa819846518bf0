"""A chip proves itself by TAM1 through the real FEIG driver, over a simulated reader in virtual time, and
attacks gain no more than is stated.

SECURITY.md ("Attackers") and decision 19 state the gains of the attacks.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from drivers.chips.feig import OUTPUT_OF
from drivers.chips.icode_dna import CHALLENGE_BYTES
from drivers.chips.proofs import UNFINISHED_AFTER, ProofSchedule
from drivers.chips.reader import Proof
from drivers.chips.secure_module import SecureModule
from drivers.chips.sim.icode_dna import AES_S, IcodeDna, VicinityAnswer, VicinityCard
from drivers.chips.sim.software_module import SoftwareModule, chip_key
from drivers.ports import CircleId
from tests.drivers.chips.proving import HOUSE_KEY, LostModule, house_module
from tests.drivers.chips.virtual import VirtualTable

UID = "E004EE0123456789"
CHEAP = "E004EE0000000001"
"""UID of a chip of small value that the attacker owns."""
CIRCLE: CircleId = (1, "across")


def house_chip(uid: str = UID, *, late_s: float = 0.0, silent: bool = False) -> IcodeDna:
    """Return the house's chip with this UID."""
    return IcodeDna(chip_key(HOUSE_KEY, uid), random.Random(uid), late_s=late_s, silent=silent)


class Replayer:
    """Copy with the UID of a chip and recorded answers: it gives the next answer to any challenge."""

    def __init__(self, answers: list[VicinityAnswer]) -> None:
        self._answers = answers
        self._next = 0

    def authenticate(self, parameters: bytes) -> VicinityAnswer:
        self._next += 1
        return self._answers[(self._next - 1) % len(self._answers)]


class Recorder:
    """Reader of the attacker: it relays challenges to a chip and records the answers."""

    def __init__(self, chip: VicinityCard, later_s: float = 0.0) -> None:
        self.answers: list[VicinityAnswer] = []
        self._chip = chip
        self._later_s = later_s

    def authenticate(self, parameters: bytes) -> VicinityAnswer:
        answer = self._chip.authenticate(parameters)
        self.answers.append(answer)
        return VicinityAnswer(answer.data, answer.after_s + self._later_s)


def table(cards: dict[str, VicinityCard | None]) -> VirtualTable:
    """Return a table with these chips in `CIRCLE`, whose reader has read them twice."""
    made = VirtualTable(1)
    antenna = made.links[1].device.antennas[OUTPUT_OF[CIRCLE[1]]]
    antenna.card_of = lambda uid: cards[uid.hex().upper()]
    made.lay(CIRCLE, sorted(cards))
    for _ in range(2):
        assert made.readers[CIRCLE].read().uids == tuple(sorted(cards))
    return made


def proven(card: VicinityCard | None, module: SecureModule | None = None, uid: str = UID) -> Proof:
    """Return the result of one proof of this chip, alone in the circle."""
    return table({uid: card}).readers[CIRCLE].prove(uid, module or house_module())


def test_a_house_chip_proves_itself_and_is_read_as_before() -> None:
    made = table({UID: house_chip()})
    reader = made.readers[CIRCLE]
    for _ in range(3):
        assert reader.prove(UID, house_module()).verdict == "proven"
        assert reader.read().uids == (UID,)
    assert reader.state == "open"


def test_a_proof_takes_its_time_on_the_wires_and_in_the_field() -> None:
    made = table({UID: house_chip()})
    began = made.links[1].now
    assert made.readers[CIRCLE].prove(UID, house_module()).verdict == "proven"
    assert made.links[1].now - began == pytest.approx(0.0293, abs=0.0005)


def test_each_chip_of_a_stack_proves_itself_separately() -> None:
    cards: dict[str, VicinityCard | None] = {
        uid: house_chip(uid) for uid in (f"E004EE01000000{number:02X}" for number in range(20))
    }
    made = table({**cards, UID: None})
    reader = made.readers[CIRCLE]
    for uid in cards:
        assert reader.prove(uid, house_module()).verdict == "proven"
    assert reader.prove(UID, house_module()).verdict == "unfinished"
    assert reader.read().uids == tuple(sorted((*cards, UID)))


def test_the_circle_of_the_chip_is_connected_first() -> None:
    made = table({UID: house_chip()})
    assert made.readers[1, "middle"].read().uids == ()
    assert made.readers[CIRCLE].prove(UID, house_module()).verdict == "proven"
    assert made.readers[1, "middle"].prove(UID, house_module()).verdict == "unfinished"


@pytest.mark.parametrize(
    "card",
    [None, house_chip(silent=True), house_chip(late_s=0.03)],
    ids=["a number alone", "silent", "late"],
)
def test_a_missing_answer_accuses_a_chip_only_after_several(card: VicinityCard | None) -> None:
    made = table({UID: card})
    schedule = ProofSchedule([CIRCLE], "all", lambda uid: True, 1e6, random.Random(1))
    schedule.prove(())
    for _ in range(2):
        schedule.note([made.readers[CIRCLE].read()])
    for number in range(UNFINISHED_AFTER):
        assert schedule.unproven(CIRCLE) == ()
        began = 10.0 * number
        assert schedule.next(began) == {CIRCLE: UID}
        proof = made.readers[CIRCLE].prove(UID, house_module())
        assert proof.verdict == "unfinished"
        schedule.done([proof], began, began + 0.1)
        schedule.note([made.readers[CIRCLE].read()])
    assert schedule.unproven(CIRCLE) == (UID,)
    assert made.readers[CIRCLE].state == "open"


def test_a_lost_module_is_no_verdict() -> None:
    assert proven(house_chip(), LostModule()).verdict == "no module"


# ------------------------------------------------------------------ attacks


@pytest.mark.parametrize(
    "copy",
    [
        IcodeDna(bytes(16), random.Random(1)),
        IcodeDna(chip_key(HOUSE_KEY, CHEAP), random.Random(1)),
        IcodeDna(HOUSE_KEY[::-1], random.Random(1)),
        IcodeDna(HOUSE_KEY, random.Random(1)),
    ],
    ids=["a new chip", "the key of a cheap chip", "a guessed key", "the house key, not derived"],
)
def test_a_copied_number_with_another_key_is_false(copy: VicinityCard) -> None:
    proof = proven(copy)
    assert (proof.verdict, proof.why) == ("false", "the chip's answer is not that of its key")


def test_no_number_of_recorded_proofs_proves_a_chip() -> None:
    recorder = Recorder(house_chip())
    made = table({UID: recorder})
    module = house_module()
    assert {made.readers[CIRCLE].prove(UID, module).verdict for _ in range(30)} == {"proven"}
    copy = table({UID: Replayer(recorder.answers)}).readers[CIRCLE]
    assert {copy.prove(UID, module).verdict for _ in range(60)} == {"false"}


def test_answers_of_the_real_chip_to_challenges_of_the_attacker_prove_nothing() -> None:
    """TAM1 does not authenticate the reader, so anybody may ask a chip; but no attacker knows the next
    challenge."""
    dice, chip = random.Random(2), house_chip()
    asked = [chip.authenticate(bytes(3) + dice.randbytes(10)) for _ in range(500)]
    copy = table({UID: Replayer(asked)}).readers[CIRCLE]
    assert {copy.prove(UID, house_module()).verdict for _ in range(100)} == {"false"}


def test_a_module_whose_challenges_repeat_accepts_a_recorded_answer() -> None:
    """Each challenge must therefore be new and the module's own: with a fixed challenge a copy would be
    proven."""
    fixed = SoftwareModule(lambda uid: chip_key(HOUSE_KEY, uid), bytes)
    recorder = Recorder(house_chip())
    assert proven(recorder, fixed).verdict == "proven"
    assert proven(Replayer(recorder.answers), fixed).verdict == "proven"
    module = house_module()
    challenges = {module.begin(UID).message for _ in range(1000)}
    assert len(challenges) == 1000 and {len(each) for each in challenges} == {CHALLENGE_BYTES}


def forged(module: SecureModule, parameters: bytes) -> bytes:
    """Answer with the challenge itself."""
    return parameters[3:] + bytes(6)


def another(module: SecureModule, parameters: bytes) -> bytes:
    """Answer with another challenge of the stolen module, which encrypts nothing for this chip."""
    return module.begin(UID).message + bytes(6)


@pytest.mark.parametrize("forge", [forged, another])
def test_a_stolen_module_cannot_imitate_a_chip(forge: Callable[[SecureModule, bytes], bytes]) -> None:
    stolen = house_module()
    with pytest.raises(ValueError, match="another method"):
        stolen.respond(UID, bytes(16))

    class Imitator:
        def authenticate(self, parameters: bytes) -> VicinityAnswer:
            return VicinityAnswer(b"\x06\xa7" + forge(stolen, parameters), AES_S)

    reader = table({UID: Imitator()}).readers[CIRCLE]
    assert {reader.prove(UID, house_module()).verdict for _ in range(20)} == {"false"}


def test_a_relay_to_the_real_chip_is_proven_if_it_answers_within_20_ms() -> None:
    assert proven(Recorder(house_chip(), later_s=0.0159)).verdict == "proven"
    assert proven(Recorder(house_chip(), later_s=0.0161)).verdict == "unfinished"
