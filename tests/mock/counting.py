"""Counter of a simulated dealer's touches, by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from controller.mock.bench.bench import TouchAnswer
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions


class Counting(DirectBench):
    """Bench that counts a dealer's touches by round."""

    def __init__(self, options: MockOptions) -> None:
        super().__init__(options)
        self.touches: Counter[int] = Counter()

    async def press(self, key: str) -> None:
        self.touches[self.view()["round"]] += 1
        await super().press(key)

    async def touch(self, body: Mapping[str, Any]) -> TouchAnswer:
        if body["do"] != "floor":
            self.touches[self.view()["round"]] += 1
        return await super().touch(body)
