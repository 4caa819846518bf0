"""A floorperson of a scenario repeats a decision if its hold was amended, and after no other refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from controller.mock.bench.bench import Bench, Hands, TouchAnswer, ViewData
from controller.mock.scenario.file import load
from controller.mock.scenario.run import Runner


class HeldBench:
    """Bench with a hold that refuses the first touches, one with each of these codes."""

    quiet = 0.0

    def __init__(self, *codes: str) -> None:
        self.codes = [*codes]
        self.version = 0
        self.decided_at: list[int] = []

    def view(self) -> ViewData:
        return {"version": self.version, "hold": {"code": "card_face_up"}}

    async def touch(self, body: Mapping[str, Any]) -> TouchAnswer:
        assert body["decision"] == "approve"
        self.decided_at.append(self.version)
        return TouchAnswer("Refused.", self.codes.pop(0)) if self.codes else TouchAnswer()

    async def wait_for_view(self, version: int, seconds: float) -> ViewData:
        self.version = version + 1
        return self.view()


@pytest.mark.parametrize(
    ("codes", "decided_at"),
    [
        ((), [1]),
        (("hold_changed", "hold_changed"), [1, 2, 3]),
        (("another_hold",), [1]),
        (("hold_decided",), [1]),
    ],
)
def test_a_decision_is_repeated_on_an_amended_hold_alone(
    codes: tuple[str, ...], decided_at: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "one.yaml"
    file.write_text("steps:\n- floor: {approve: true}\n", encoding="utf-8")
    (scenario,) = load(file)
    bench, said = HeldBench(*codes), list[str]()
    run = Runner(cast("Bench", bench), scenario, cast("Hands", None), said.append, lambda record: None)
    (step,) = scenario.steps
    assert step.action.touch is not None
    asyncio.run(run._touch(step.action.touch))
    assert bench.decided_at == decided_at
    assert said == ["        refused: Refused."] * len(codes)
