"""Chips that prove themselves while a shoe deals: no proof between a card and its acknowledgement."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from controller.mock.bench.options import MockOptions
from controller.mock.bench.wired import WiresBench
from controller.mock.bench.wires import ShoeFrames
from controller.mock.run import Mock, Run
from drivers.chips.kinds import PROVING
from drivers.chips.secure_module import Response, SecureModule

pytestmark = pytest.mark.serial


class TimedFrames(ShoeFrames):
    """Frames of the shoe's line, each also stored with its time."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[float, str]] = []

    def to_device(self, data: bytes) -> None:
        self._note(super().to_device, data)

    def from_device(self, data: bytes) -> None:
        self._note(super().from_device, data)

    def _note(self, take: Callable[[bytes], None], data: bytes) -> None:
        self.frames.clear()
        take(data)
        self.all += [(time.monotonic(), frame) for frame in self.frames]


class TimedModule:
    """Stores the time of each question."""

    def __init__(self, module: SecureModule) -> None:
        self.times: list[float] = []
        self._module = module

    def respond(self, uid: str, challenge: bytes) -> Response:
        self.times.append(time.monotonic())
        return self._module.respond(uid, challenge)

    def begin(self, uid: str) -> Response:
        self.times.append(time.monotonic())
        return self._module.begin(uid)

    def verify(self, ticket: int, answer: bytes) -> bool:
        self.times.append(time.monotonic())
        return self._module.verify(ticket, answer)


@pytest.mark.parametrize("readers", PROVING)
async def test_no_chip_proof_runs_between_a_card_and_its_acknowledgement(readers: str) -> None:
    options = MockOptions(config={"proofs": {"random_seconds": 1}}, seed=5, readers=readers)
    bench = WiresBench(options)
    bench._shoe_frames = frames = TimedFrames()
    assert bench._module is not None
    bench._module._module = module = TimedModule(bench._module._module)
    assert await Mock(Run(options, rounds=3, headless=True, as_json=True), bench=bench).play() == 0
    cards = [at for at, frame in frames.all if frame.startswith("<") and ",CARD," in frame]
    acks = [at for at, frame in frames.all if frame.startswith(">") and "ACK" in frame]
    assert len(cards) > 20 and module.times
    for card in cards:
        ack = min(at for at in acks if at >= card)
        assert not [at for at in module.times if card <= at <= ack]
    dealt = deals(frames.all)
    assert len(dealt) > 20
    assert not [at for at in module.times for one, two in dealt if one <= at <= two]


def deals(frames: list[tuple[float, str]]) -> list[tuple[float, float]]:
    """Return the times of each two successive cards of a deal. A stub ends the deal."""
    found, last = [], None
    for at, frame in frames:
        if ",STUB" in frame:
            last = None
        elif frame.startswith("<") and ",CARD," in frame:
            found += [] if last is None else [(last, at)]
            last = at
    return found
