"""The dealer counts the stub blind: the screen shows neither the expected number nor, for a second count, the
first one.

Source: 58 Pa. Code § 674a.8(f), (g); issue 26 point 4 (PEOPLE F6).
"""

from __future__ import annotations

import pytest

from controller.common.texts.catalogue import languages
from controller.pages.display.words import refusal_text, render
from tests.display import views

STUB = {"counted": 42, "expected": 43, "shoe": 43}


@pytest.mark.parametrize("language", languages())
def test_a_differing_first_count_shows_no_number(language: str) -> None:
    text = refusal_text("count_again", STUB, language)
    assert not any(character.isdigit() for character in text)


@pytest.mark.parametrize("language", languages())
def test_the_numbers_of_a_second_count_are_only_on_the_floor_page(language: str) -> None:
    held = views.hold("deck_count", place=None, stub=STUB)
    words = render(
        views.whole(views.view(phase="held", prompt=views.prompt("held", code="deck_count"), hold=held)),
        language,
    )
    dealer = str([words[name] for name in ("prompt", "next", "parts", "front", "beside", "keys", "alerts")])
    assert "43" not in dealer and "42" not in dealer
    assert "42" in words["hold"]["text"] and "43" in words["hold"]["text"]
