"""A large line (the headline of a prompt, an alert or a hold) has at most nine words in every language, and
names the chips where chips are requested (issue 26 point 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from controller.common.texts.catalogue import Catalogue, catalogue, languages, placeholders
from controller.game.model.irregularities import Code
from controller.pages.display.values import MAX_HEADLINE_WORDS
from controller.pages.display.words import render
from tests.display.gallery import gallery
from tests.display.test_shots import FIRST, early
from tests.display.views import View, alert, prompt, settling, stack, view, whole

pytestmark = pytest.mark.slow

SUMS = ((15_000_000, 14_987_500), (14_987_500, 15_000_000), (10_000, 3_000), (0, 1_999_000), (700, None))
"""Cents in the circle and cents due there: too much, too little, one chip for a smaller sum, no chips, no
amount due."""
BIG = 12_999_000


def pictures() -> Iterator[View]:
    """Yield the gallery, every alert with every kind of difference, and every payout with its chips."""
    yield from gallery().values()
    for code in Code:
        for lies, should in SUMS:
            yield view(alerts=[alert(code, lies=lies, should=should)])
    yield from (settling("pay", BIG) | {"alerts": [early(verb)]} for verb in FIRST)
    for kind in ("pay", "put_back"):
        yield settling(kind, BIG, hand="three of a kind", odds=100, chips=stack(BIG))
    for code in Code:
        for lies, should in SUMS[:3]:
            shown = view(prompt=prompt("hand_back", seat=3, wager="across", amount=should, code=code))
            shown["seats"][2]["circles"]["across"] |= {"amount": lies, "chips": stack(lies)}
            yield shown


@pytest.mark.parametrize("language", languages())
def test_no_large_line_has_more_than_nine_words(language: str) -> None:
    lines = {render(whole(shown), language)["front"]["do"] for shown in pictures()}
    assert [line for line in sorted(lines) if len(line.split()) > MAX_HEADLINE_WORDS] == []


LONGEST = {"hand": "hands", "step": "steps", "nth": "ordinals", "next": "backs", "wager": "wagers"}
LONGEST_VALUES = {"amount": "$88,888", "sum": "$88,888", "options": "$100, $200 or $300", "seat": "6",
        "by_hand": "$88,888", "five_card_bonus": "$100"}  # fmt: skip


def longest(texts: Catalogue, name: str) -> str:
    """Return the longest text that may replace a placeholder of a large line."""
    if name == "places":
        cards = [texts.plain(f"places.{name}") for name in ("across_left", "across_right")]
        return f" {texts.plain('joins.and')} ".join(cards)
    if name not in LONGEST:
        return LONGEST_VALUES.get(name, "$88,888")
    return max(map(str, texts.texts[LONGEST[name]].values()), key=lambda text: len(text.split()))


def templates(texts: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield (key, text) of every large line, except those made of chips, which are in `pictures`."""
    for kind in ("prompts", "codes"):
        for name, node in texts.texts[kind].items():
            if isinstance(node, dict) and name != "held":
                text: Any = node["do"]
                yield from (
                    (f"{kind}.{name}.do", str(each)) for each in (text if isinstance(text, list) else [text])
                )
    yield from (
        (f"first.{name}", str(texts.node(f"first.{name}"))) for name in ("take", "push", "turn", "turn_bonus")
    )
    yield "hold.do", texts.plain("hold.do")


@pytest.mark.parametrize("language", languages())
def test_every_template_has_at_most_nine_words_with_its_longest_values(language: str) -> None:
    texts = catalogue(language)
    wrong = []
    for key, text in templates(texts):
        names = placeholders(text)
        if names & {"chips", "remedy", "step"}:
            continue
        filled = text.format_map({name: longest(texts, name) for name in names})
        if len(filled.split()) > MAX_HEADLINE_WORDS:
            wrong.append(f"{key}: {filled}")
    steps = {key: filled for key, filled in texts.texts["steps"].items() if key in OPENING}
    wrong += [
        f"steps.{key}" for key, filled in steps.items() if len(str(filled).split()) > MAX_HEADLINE_WORDS
    ]
    assert wrong == []


OPENING = ("inspect", "spread", "turn_down", "wash", "stack", "shuffle", "collect", "spread_down", "look")
"""Steps of an opening that its large line names; the small line names the others."""


def taken(chips: list[int], lies: int, should: int, code: str = "overpaid") -> str:
    """Return the large line of an alert about a circle with these chips."""
    shown = view(alerts=[alert(code, lies=lies, should=should)])
    shown["seats"][2]["circles"]["across"] |= {"amount": lies, "chips": chips}
    return str(render(whole(shown), "en")["front"]["do"])


@pytest.mark.parametrize("code", ["overpaid", "push_disturbed", "wrong_circle"])
def test_a_chip_larger_than_the_excess_is_exchanged(code: str) -> None:
    """The line was formerly "Take back $70" after a $100 chip for a payout of $30, and named no chips."""
    assert taken([10_000, 500, 500], 11_000, 4_000, code) == "Take one $100, add one $25, one $5"
    assert taken([10_000, 2_500], 12_500, 5_000, code) == "Take one $100, add one $25"
    assert taken([2_500, 500], 3_000, 2_500, code).endswith(": one $5")


def test_unknown_chips_are_not_named() -> None:
    shown = view(alerts=[alert("overpaid", lies=11_000, should=4_000)])
    shown["seats"][2]["circles"]["across"] |= {"amount": 11_000, "chips": None}
    assert render(whole(shown), "en")["front"]["do"].startswith("Take back $70")


@pytest.mark.parametrize("language", languages())
def test_a_payout_names_its_chips_in_the_large_line_if_they_fit(language: str) -> None:
    few = render(whole(settling("pay", 5_000, chips=[2500, 2500])), language)["front"]
    assert few["do"].endswith("$25") and few["do"].count("$") == 2
    many = render(whole(settling("pay", BIG, chips=stack(BIG))), language)["front"]
    assert many["do"].endswith("$129,990") and "$100" in many["more"]
