"""A picture of the dealer's screen is classified by what it shows."""

from __future__ import annotations

import pytest

from tests.trials.image.screen import FEWEST, WARNING, Picture

COLOURS = b"".join(bytes((shade, shade, shade)) for shade in range(FEWEST))
WHITE, DARK = b"\xff\xff\xff" * 1000, b"\x14\x16\x19" * 1000


@pytest.mark.parametrize(
    ("points", "shown"),
    [
        (DARK, "nothing"), (WHITE, "nothing"), (WHITE + COLOURS, "something else"), (DARK + COLOURS, "page"),
        (DARK + COLOURS + WARNING * 5, "page"), (DARK + COLOURS + WARNING * 50, "warning"),
    ],
)  # fmt: skip
def test_each_picture_is_classified(points: bytes, shown: str) -> None:
    assert Picture(points).shows() == shown
