"""The complete product loses no card with a shoe that was built from drivers/shoe/LINK.md alone, over real
lines.

`make soak` runs it longer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trials.stranger.link import crc16, frame, parse
from tests.trials.stranger.play import CLEAN, LOSSY, PLAIN, Case, play

pytestmark = pytest.mark.serial


def test_the_independent_shoe_makes_the_frames_of_the_contract() -> None:
    """The two frames are the examples on the page. Every other test relies on the shoe's encoding, so the
    shoe must make and read them."""
    assert crc16(b"123456789") == 0x29B1
    assert frame(0x2A, ["CARD", "7", "QH"]) == b"$2A,CARD,7,QH*45E9\r\n"
    assert parse(b"$2A,CARD,7,QH*45E9") == (0x2A, ["CARD", "7", "QH"])


@pytest.mark.parametrize(
    ("case", "rounds"), [(CLEAN, 1), (LOSSY, 2), (PLAIN, 1)], ids=["clean", "lossy", "plain"]
)
def test_no_card_is_lost_doubled_or_invented(case: Case, rounds: int, tmp_path: Path) -> None:
    found = play(case, rounds, tmp_path)
    assert not found.wrong, found.words()
    assert found.settled == rounds
