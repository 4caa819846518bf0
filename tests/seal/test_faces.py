"""A face is stored encrypted until its round has ended."""

from __future__ import annotations

import pytest

from controller.record.seal.faces import (
    ROW_STEP,
    SNAPSHOT_STEP,
    CannotOpen,
    NoKey,
    Opener,
    Period,
    is_sealed,
    period_key,
)

SECRET = bytes(range(32))
KEY = period_key(SECRET, "j", 3)
ROW = '{"number":7,"face":"QH","found":"face_down"}'
ABOUT = b'["j","events",7]'


def sealed(text: str = ROW, step: int = ROW_STEP) -> str:
    return Period(3, KEY).seal(text, ABOUT, step)


def opener(key: bytes | None = KEY) -> Opener:
    return Opener("j", lambda _period: key)


def test_a_sealed_text_can_be_opened() -> None:
    assert is_sealed(sealed())
    assert not is_sealed(ROW)
    assert opener().open(sealed(), ABOUT) == ROW
    assert opener().open(ROW, ABOUT) == ROW, "a row of before there was a seal"


def test_sealing_a_row_twice_gives_different_texts() -> None:
    assert sealed() != sealed()


@pytest.mark.parametrize("about", [b"", b'["j","events",8]', b'["k","events",7]', b'["j","snapshots",7]'])
def test_a_sealed_text_is_bound_to_its_journal_table_and_row(about: bytes) -> None:
    with pytest.raises(CannotOpen):
        opener().open(sealed(), about)


@pytest.mark.parametrize("at", [2, 50, -2])
def test_a_text_with_one_changed_letter_cannot_be_opened(at: int) -> None:
    text = list(sealed())
    text[at] = "4" if text[at] != "4" else "5"
    with pytest.raises(CannotOpen):
        opener().open("".join(text), ABOUT)


@pytest.mark.parametrize("text", ["3", "3.", "3.x", "3.????", "³.AAAA", "9" * 500 + ".AAAA", "3." + "A" * 15])
def test_an_invalid_sealed_text_is_refused_without_its_content(text: str) -> None:
    with pytest.raises(CannotOpen) as caught:
        opener().open(text, ABOUT)
    assert str(caught.value) == ""


def test_without_its_key_a_text_cannot_be_opened() -> None:
    with pytest.raises(NoKey):
        opener(None).open(sealed(), ABOUT)
    with pytest.raises(CannotOpen):
        opener(period_key(SECRET, "j", 4)).open(sealed(), ABOUT)


def test_each_period_and_each_journal_has_its_own_key() -> None:
    keys = {period_key(SECRET, journal, period) for journal in ("j", "k") for period in (0, 1, 11)}
    assert len(keys) == 6


@pytest.mark.parametrize("step", [ROW_STEP, SNAPSHOT_STEP])
def test_the_length_reveals_no_face(step: int) -> None:
    """The sealed face has the same length for a card that was read, a card that was not read, and a card
    found face up."""
    rows = (
        '{"number":7,"face":"QH","found":"face_down"}',
        '{"number":7,"face":null,"found":"not_read"}',
        '{"number":52,"face":null,"found":"impossible"}',
    )
    assert len({len(sealed(row, step)) for row in rows}) == 1
