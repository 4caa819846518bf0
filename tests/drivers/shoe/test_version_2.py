"""An attacker on a line of version 2 (drivers/shoe/LINK.md) can only interrupt it.

Both ends are real, and the test controls the line.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from drivers.ports import ShoeReport
from drivers.shoe import sealing
from drivers.shoe.codec import MAX_FRAME_BYTES, FrameDecoder, encode_frame
from drivers.shoe.handshake import Paired
from drivers.shoe.protection import Protection
from drivers.shoe.sealed import ControllerEnd, ShoeEnd
from drivers.shoe.session import ControllerSession
from tests.drivers.shoe.tapped import Tapped, busy, with_crc
from tests.drivers.shoe.wire import AT_CONTROLLER, AT_SHOE, frame, frames
from tests.repository import pages
from tests.repository.house import ROOT

# ------------------------------------------------------------------------- frames on the line


def test_no_frame_reveals_a_face_by_content_or_length() -> None:
    wire = Tapped().opened()
    for face in ("QH", "FU", "NR", "2C"):
        wire.out += 1
        wire.shoe.emit("CARD", (str(wire.out), face), wire.now)
        wire._flush()
        wire.run(0.01)
    assert [face for _, face in wire.disk.cards()] == ["QH", "FU", "NR", "2C"]
    cards = [seen for _, seen in wire.captured if seen.kind == "CARD"]
    assert [seen.fields[0] for seen in cards] == ["1", "2", "3", "4"]
    assert {len(seen.fields[1]) for seen in cards} == {24}


def test_a_repetition_has_the_same_bytes_and_counts_once() -> None:
    wire = Tapped().opened()
    wire.stop = lambda way, seen: (way, seen.kind) == (">", "ACK")
    wire.play()
    wire.run(0.25)
    sent = [seen.raw for _, seen in wire.captured if seen.kind == "CARD"]
    assert len(sent) == 3
    assert len(set(sent)) == 1
    wire.expect_whole()
    assert wire.tamper_reports() == []


def test_no_card_is_lost_when_frame_numbers_wrap() -> None:
    wire = Tapped().opened()
    wire.play(300)
    wire.restart_controller()
    wire.run(0.05)
    wire.play(300)
    wire.expect_whole()
    assert wire.tamper_reports() == []


def test_unacknowledged_frames_are_resent_with_the_next_keys() -> None:
    wire = Tapped().opened()
    wire.stop = lambda _way, _seen: True
    wire.play(3)
    first = wire.last("CARD")
    wire.restart_controller()
    wire.expect_whole()
    again = [seen for _, seen in wire.captured if seen.kind == "CARD" and seen.fields[0] == "1"]
    assert again[-1].raw + b"\r\n" != first


def test_a_shoe_authenticates_again_after_a_power_cut() -> None:
    wire = Tapped().opened()
    wire.play(2)
    wire.restart_shoe()
    wire.run(1.0)
    assert wire.controller.up
    wire.play(2)
    assert [number for number, _ in wire.disk.cards()] == ["1", "2", "1", "2"]


# ------------------------------------------------------------------------- nonces and keys


class Noted:
    """Stand-in for ChaCha20Poly1305 that fails if one key encrypts two texts with the same nonce."""

    used: dict[tuple[bytes, bytes], tuple[bytes, bytes]]

    def __init__(self, key: bytes) -> None:
        self._key, self._real = key, REAL(key)

    def encrypt(self, number_once: bytes, data: bytes, associated: bytes) -> bytes:
        text = (data, associated)
        assert self.used.setdefault((self._key, number_once), text) == text
        return bytes(self._real.encrypt(number_once, data, associated))

    def decrypt(self, number_once: bytes, data: bytes, associated: bytes) -> bytes:
        return bytes(self._real.decrypt(number_once, data, associated))


REAL: Any = sealing.ChaCha20Poly1305


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> type[Noted]:
    Noted.used = {}
    monkeypatch.setattr(sealing, "ChaCha20Poly1305", Noted)
    return Noted


def test_no_nonce_of_a_key_is_used_twice(noted: type[Noted]) -> None:
    """The test covers wrapped numbers, decks, repetitions, heartbeats, commands and restarts of either
    end."""
    wire = Tapped().opened()
    for part in range(8):
        wire.stop = lambda _way, _seen: wire.rng.random() < 0.1
        for _ in range(70):
            wire.card()
            wire.controller.command("HOLD", (), wire.now)
            wire.run(0.3)
        wire.shoe.emit("READY", ("52", "RED"), wire.now)
        wire.run(4.0)
        wire.restart_controller() if part % 3 == 1 else None
    wire.expect_whole()
    assert len(noted.used) > 1000
    assert len({key for key, _ in noted.used}) > 8


def test_the_key_of_the_cards_is_renewed_with_each_deck(noted: type[Noted]) -> None:
    wire = Tapped().opened()
    for _ in range(3):
        wire.play(2)
        wire.shoe.emit("READY", ("52", "RED"), wire.now)
        wire._flush()
        wire.run(0.01)
    keys = [key for (key, _), (_, head) in noted.used.items() if b",CARD," in head]
    assert len(keys) == 6
    assert len(set(keys)) == 3
    assert keys[0] == keys[1]


# ------------------------------------------------------------------------- attacker on the line


@pytest.mark.parametrize("kind", ["CARD", "STATE", "TAKEN"])
def test_a_replayed_frame_of_the_shoe_is_refused_and_reported(kind: str) -> None:
    wire = busy()
    recorded = wire.last(kind)
    wire.play(1)
    wire.inject(recorded)
    assert wire.tamper_reports() == [ShoeReport("TAMPERED", ("bad_proof",))]
    assert wire.controller.up
    wire.expect_whole()


def test_a_frame_recorded_before_the_numbers_wrapped_is_refused() -> None:
    wire = busy()
    recorded = wire.last("CARD")
    number = int(recorded[1:3], 16)
    while (wire.shoe.number + 1) & 0xFF != number:
        wire.play(1)
    wire.inject(recorded)
    assert wire.tamper_reports() == [ShoeReport("TAMPERED", ("bad_proof",))]
    wire.expect_whole()


def test_a_replayed_ack_removes_no_card_from_the_shoe_s_queue() -> None:
    """The ACK of a card is lost. A recorded ACK with the same number, from before the numbers wrapped, is
    sent in its place."""
    wire = busy()
    acks = {seen.seq: seen.raw + b"\r\n" for way, seen in wire.captured if (way, seen.kind) == (">", "ACK")}
    while (wire.shoe.number + 1) & 0xFF not in acks:
        wire.play(1)
    wire.stop = lambda way, seen: seen.kind == "CARD" or way == ">"
    wire.card()
    wire.inject(acks[wire.shoe.number], ">")
    wire.inject(frame(f"{wire.shoe.number:02X},ACK"), ">")
    assert wire.shoe.backlog == 1
    wire.expect_whole()


@pytest.mark.parametrize("text", ["CARD,99,AS", "TAKEN", "READY,52,RED", "REFUSED,HELLO,no", "TEMPERATURE,3"])
def test_a_frame_of_version_1_is_refused_and_the_shoe_s_own_is_accepted(text: str) -> None:
    wire = busy()
    wire.inject(frame(f"{(wire.shoe.number + 1) & 0xFF:02X},{text}"))
    assert [report.kind for report in wire.tamper_reports()] == ["TAMPERED"]
    assert wire.controller.up
    wire.play(1)
    wire.expect_whole()


@pytest.mark.parametrize("kind", ["ACK", "ALIVE", "HOLD", "SIGN", "HELLO"])
def test_a_frame_of_the_other_direction_is_refused(kind: str) -> None:
    wire = busy()
    before = len(wire.disk.reports)
    wire.inject(wire.last(kind, ">"))
    assert [report.kind for report in wire.disk.reports[before:]] == ["TAMPERED"]
    wire.expect_whole()


def test_two_swapped_frames_are_both_refused() -> None:
    """The second card arrives before the first. It must be refused until the first has arrived; otherwise its
    place would be unknown."""
    wire, twin = busy(), busy()
    twin.play(2)
    first, second = [seen.raw + b"\r\n" for _, seen in twin.captured if seen.kind == "CARD"][-2:]
    before = wire.disk.cards()
    wire.inject(second)
    assert wire.disk.cards() == before
    assert [report.kind for report in wire.tamper_reports()] == ["TAMPERED"]
    wire.inject(first)
    assert len(wire.disk.cards()) == len(before) + 1


def test_a_replayed_heartbeat_does_not_keep_the_link_up() -> None:
    wire = busy()
    recorded = wire.last("ALIVE")
    wire.stop = lambda _way, _seen: True
    for _ in range(4):
        wire.inject(recorded)
        wire.run(1.0)
    assert not wire.controller.up
    assert "LINK_LOST" in [report.kind for report in wire.disk.reports]
    wire.expect_whole()


def test_unauthenticated_frames_do_not_keep_the_link_up() -> None:
    wire = busy()
    wire.stop = lambda _way, _seen: True
    for _ in range(4):
        wire.inject(frame("31,ACK"))
        wire.run(1.0)
    assert "LINK_LOST" in [report.kind for report in wire.disk.reports]
    wire.expect_whole()


def test_a_replayed_hello_ends_only_the_session_and_loses_no_card() -> None:
    """The `last` of the recorded HELLO names a card that the controller has not received. The card must stay
    in the queue."""
    wire = busy()
    wire.restart_controller()
    wire.run(0.05)
    hello = next(seen for way, seen in reversed(wire.captured) if seen.kind == "HELLO")
    last = int(hello.fields[3], 16)
    # otherwise the HELLO is the last frame, and counts as a repetition
    wire.controller.command("HOLD", (), wire.now)
    wire._flush()
    wire.run(0.01)
    while (wire.shoe.number + 1) & 0xFF != last:
        wire.play(1)
    wire.stop = lambda _way, _seen: True
    wire.card()
    assert wire.shoe.number == last
    wire.inject(hello.raw + b"\r\n", ">")
    wire.run(0.5)
    assert wire.shoe.backlog > 0
    wire.expect_whole()


def test_a_forged_knock_doubles_no_card() -> None:
    """The card is stored and its ACK is lost. A forged KNOCK with another boot must not make the shoe send
    the card again."""
    wire = busy()
    wire.stop = lambda way, seen: (way, seen.kind) == (">", "ACK")
    wire.play(1)
    wire.inject(frame("77,KNOCK,FFFF,2"))
    wire.expect_whole()


def test_an_unencrypted_ack_ends_no_command() -> None:
    wire = busy()
    wire.commands.clear()
    wire.stop = lambda way, seen: (way, seen.kind) == (">", "RELEASE")
    wire.controller.command("RELEASE", (), wire.now)
    wire._flush()
    (sent,) = frames(wire.last("RELEASE", ">"))
    wire.inject(frame(f"{sent.seq:02X},ACK"))
    wire.expect_whole()
    assert wire.commands == [("RELEASE", ())]


def test_a_forged_knock_starts_no_second_command_during_a_running_one() -> None:
    wire = busy()
    wire.commands.clear()
    wire.controller.command("DEAL", ("5",), wire.now)
    wire._flush()
    wire.run(0.01)
    wire.inject(frame("77,KNOCK,FFFF,2"))
    wire.inject(frame("78,KNOCK,B1,2"))
    wire.expect_whole()
    wire.controller.command("DEAL", ("2",), wire.now)
    wire._flush()
    wire.run(1.0)
    assert wire.commands == [("DEAL", ("5",))]


def test_a_replayed_welcome_opens_no_session_and_is_reported() -> None:
    wire = busy()
    recorded = wire.last("WELCOME")
    wire.play(1)
    wire.inject(recorded)
    assert wire.tamper_reports() == [ShoeReport("TAMPERED", ("bad_proof",))]
    wire.expect_whole()


@pytest.mark.parametrize("kind", ["WELCOME", "STATE", "CARD", "READY", "DONE", "ACK", "ALIVE", "TAKEN"])
def stopped(kind: str) -> Tapped:
    """Return a line on which the first frame of `kind` is still withheld."""
    wire = Tapped()
    early = kind in ("WELCOME", "STATE")
    for stops in (early, True):
        wire.stop = lambda way, seen, stops=stops: stops and (way, seen.kind) == ("<", kind)
        wire.start() if stops is early else None
        wire.run(0.01)
    for word, fields in (("CARD", ("1", "QH")), ("READY", ("52", "RED")), ("DONE", ("HOLD",)), ("TAKEN", ())):
        wire.shoe.emit(word, fields, wire.now) if kind == word else None
    wire.controller.command("HOLD", (), wire.now) if kind == "ACK" else None
    wire._flush()
    wire.run(1.2 if kind == "ALIVE" else 0.05)
    return wire


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["WELCOME", "STATE", "CARD", "READY", "DONE", "ACK", "ALIVE", "TAKEN"])
def test_a_frame_with_any_flipped_bit_is_refused_and_the_true_one_accepted(kind: str) -> None:
    """Each bit of the body is flipped, with a corrected check sum."""
    wire = stopped(kind)
    true = wire.last(kind)
    body = true[1:-7]
    before = deepcopy(wire.controller.counts())["frames_in"]
    for bit in range(8 * len(body)):
        flipped = bytearray(body)
        flipped[bit // 8] ^= 1 << bit % 8
        session = deepcopy(wire.controller)
        session.receive(with_crc(bytes(flipped)), wire.now)
        assert [r.kind for r in session.take_reports()] in ([], ["TAMPERED"], ["UNPROVEN"]), flipped
        assert not [f for f in frames(session.take_bytes()) if f.kind == "ACK"], flipped
        assert session.counts()["frames_in"] == before, flipped
        session.receive(true, wire.now)
        assert session.counts()["frames_in"] == before + 1, flipped


def test_a_shoe_with_other_keys_opens_no_session_and_its_welcome_is_reported() -> None:
    wire = Tapped()
    wire.controller = ControllerSession(
        "CC-01", None, wire.rng, ControllerEnd(Paired(bytes(range(50, 82)), AT_CONTROLLER.other), wire._fresh)
    )
    wire.start()
    wire.run(5.0)
    assert not wire.controller.up
    assert wire.shoe.counts["bad_proof"] > 0
    hello = next(seen for way, seen in reversed(wire.captured) if seen.kind == "HELLO")
    wire.inject(frame(f"{hello.seq:02X},ACK"))
    proof = "A" * 64
    wire.inject(encode_frame(0x20, "WELCOME", ("2", "CCT-SIM", "0001", "1.0", "B1", proof), MAX_FRAME_BYTES))
    assert wire.tamper_reports() == [ShoeReport("TAMPERED", ("bad_proof",))]
    assert wire.disk.cards() == []


# ------------------------------------------------------------------------- published example


def test_a_frame_has_at_most_160_bytes() -> None:
    decoder = FrameDecoder(MAX_FRAME_BYTES)
    assert decoder.feed(with_crc(b"00,KNOCK," + b"A" * (MAX_FRAME_BYTES - 17)))
    assert not decoder.feed(with_crc(b"00,KNOCK," + b"A" * (MAX_FRAME_BYTES - 16)))
    assert decoder.dropped["too_long"] == 1


def test_both_ends_send_the_published_example() -> None:
    """The bytes are those of drivers/shoe/LINK.md, An example, with which a shoe maker can check an
    implementation."""
    fresh = iter((bytes(range(200, 232)), bytes(range(150, 182))))
    controller = ControllerEnd(AT_CONTROLLER, lambda: next(fresh))
    shoe = ShoeEnd(AT_SHOE, lambda: next(fresh))
    sent_bytes: list[bytes] = []

    def note_frame(end: Protection, number: int, kind: str, *fields: str) -> None:
        other = controller if end is shoe else shoe
        (sent,) = frames(end.wrap(number, kind, fields))
        (ack,) = frames(other.acknowledge(other.unwrap(sent)))
        assert end.unwrap(ack).kind == "ACK"
        sent_bytes.extend((sent.raw, ack.raw))

    note_frame(controller, 0x90, "HELLO", *controller.hello("CC-01", None, ("5F2CuZ81Hc3k", 0x2A)))
    note_frame(shoe, 0x01, "WELCOME", "2", "CCT-SIM", "0001", "1.0", "5F2C")
    note_frame(shoe, 0x02, "READY", "52", "RED")
    note_frame(shoe, 0x03, "CARD", "1", "QH")
    sent_bytes.append(shoe.alive(3).strip())
    note_frame(controller, 0x91, "DEAL", "5")
    shown = pages.blocks(ROOT / "drivers/shoe/LINK.md")["sealed"]
    assert sent_bytes == [line.encode() for line in shown.split() if line.startswith("$")]
