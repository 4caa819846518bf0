"""In no picture of the dealer's page is a part cut off, covered, too faint or too small to touch, and no part
moves.

Every picture is shown at every size in both languages, in a real Chromium, on one page that is never
reloaded. CRISSCROSS_SCREENSHOTS=folder keeps the pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from controller.common.texts.catalogue import catalogue, languages
from controller.game.model.irregularities import Code
from controller.game.model.names import Phase
from controller.pages.display.words import render
from tests.display.conftest import SIZES
from tests.display.fingers import measured, opened, shows, sized
from tests.display.gallery import gallery, six_circles
from tests.display.served import Served
from tests.display.test_words import named_in_the_core
from tests.display.views import HANDS, View, alert, prompt, pushes, settling, view, whole


def test_every_code_of_the_catalogues_has_its_picture() -> None:
    kinds = named_in_the_core("Prompt") | set(catalogue("en").texts["prompts"])
    names = {f"prompt-{kind}" for kind in kinds}
    names |= {f"alert-{code}" for code in Code}
    names |= {f"hold-{code}" for code in Code if code.kind.grade == "hold"}
    names |= {f"phase-{phase}" for phase in Phase}
    assert set(gallery()) == names


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_every_picture_is_complete_and_no_part_moves(
    page: Page, served: Served, size: str, language: str, shots: Path | None
) -> None:
    sized(page, size)
    opened(page, served, view(), f"?lang={language}")
    places = measured(page, size, served.shown(view()))["places"]
    wrong: dict[str, list[str]] = {}
    for name, shown in gallery().items():
        found = measured(page, size, served.shown(shown))
        moved = [] if found["places"] == places or _six(shown) else ["moved"]
        if found["wrong"] + moved:
            wrong[name] = found["wrong"] + moved
        if shots:
            shots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=shots / f"{name}-{size}-{language}.png", animations="disabled")
    assert wrong == {}


def _six(shown: dict[str, Any]) -> bool:
    return "six_card_bonus" in shown["seats"][0]["circles"]


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_the_largest_figures_still_fit(page: Page, served: Served, size: str, language: str) -> None:
    chips = [100000] * 12 + [50000, 10000, 10000, 10000, 10000, 2500, 500, 500, 500, 500]
    pay = settling("pay", sum(chips), hand="three of a kind", odds=100, chips=chips)
    pay["seats"][2]["circles"]["across"]["amount"] = 15_000_000
    sums = {"lies": 14_987_500, "should": 15_000_000}
    announced = settling("pay", sum(chips), hand="three of a kind", odds=1, chips=chips, cards=["announce"])
    announced["seats"][2]["hands"] |= dict.fromkeys(("across", "down"), HANDS["three of a kind"])
    pictures = [
        announced,
        *_full_of_words(),
        pay,
        pay | {"alerts": [alert("underpaid", **sums), alert("wrong_circle", number=8, seat=6, **sums)]},
        pay
        | {"alerts": [alert("reader_lost", number=n, seat=n, wager="five_card_bonus") for n in range(1, 7)]},
        six_circles(settling("take", 1_000_000, seat=6, wager="six_card_bonus", hand="ace high")),
    ]
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    opened(page, served, view(), f"?lang={language}")
    wrong = [(shown["prompt"], measured(page, size, served.shown(shown))["wrong"]) for shown in pictures]
    assert [found for found in wrong if found[1]] == []


CUT = """() => [...document.querySelectorAll(".seat .card, .circle .amount")].filter((node) => {
  const [inner, outer] = [node, node.closest(".circle, .top")].map((each) => each.getBoundingClientRect());
  return inner.width && (inner.right > outer.right || inner.left < outer.left);
}).map((node) => node.textContent)"""


@pytest.mark.browser
@pytest.mark.parametrize("cents", [12_500, 880_000, 8_888_800])
def test_beside_the_felt_neither_amount_nor_card_is_cut(page: Page, served: Served, cents: int) -> None:
    page.set_viewport_size({"width": 522, "height": 312})
    shown = settling("pay", cents, hand="three of a kind")
    for seat in shown["seats"]:
        for circle in seat["circles"].values():
            circle["amount"] = cents
    opened(page, served, view())
    version = served.shown(shown)
    page.wait_for_function(f"() => document.querySelector('.page').dataset.version === '{version}'")
    assert page.evaluate(CUT) == []


LONG_SECTION = "58 Pa. Code § 674a.11(g), (h)"
FIVE_DOLLARS = {"verb": "add", "seat": 3, "wager": "ante_across", "cents": 500}
FIRST = {"take": 15_000_000, "push": 0, "pay": 1_999_000, "add": 1_999_000, "turn": 0}


def early(verb: str) -> View:
    """Return the alert for a step that was done before the step of seat 3, whose turn it was."""
    wager = None if verb == "turn" else "ante_across"
    return alert("settled_out_of_order", seat=6, wager="six_card_bonus",
                 first={"verb": verb, "seat": 3, "wager": wager, "cents": FIRST[verb]})  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_a_reason_below_a_section_of_two_lines_is_not_cut(page: Page, served: Served, language: str) -> None:
    page.set_viewport_size({"width": 800, "height": 480})
    alone = early("add") | {"seat": 5, "wager": "across", "first": FIVE_DOLLARS, "citation": LONG_SECTION}
    opened(page, served, view(alerts=[alone]), f"?lang={language}")
    more, prompt_ = (page.locator(css).bounding_box() for css in (".prompt .more", ".prompt"))
    assert more is not None and prompt_ is not None
    assert more["y"] + more["height"] <= prompt_["y"] + prompt_["height"]


def _full_of_words() -> list[View]:
    """Return prompts that show all their texts at once, so that the pictures have as many words as
    possible."""
    first = {"seat": 3, "wager": "across", "cards": ["rack_stub", "look_and_lay_down"]}
    chips = [100_000] * 12 + [50_000, 10_000, 10_000, 10_000, 10_000, 2500, 500, 500, 500, 500]
    return [
        pushes(10_000, 30_000, 10_000),
        pushes(888_800, 888_800, 888_800),
        view(prompt=prompt("ask", options=[10_000, 20_000, 30_000], **first)),
        view(prompt=prompt("confirm_bet", amount=30_000, step="goes_on", **first)),
        view(alerts=[alert("wrong_circle", home={"seat": 6, "wager": "six_card_bonus"})]),
        view(alerts=[alert("overpaid", push_hand=HANDS["pair of 10s"], lies=15_000_000, should=14_987_500)]),
        *(settling("pay", 15_000_000, chips=[100_000] * 12) | {"alerts": [early(verb)]} for verb in FIRST),
        view(alerts=[alert("wrong_circle", due_at={"seat": 6, "wager": "ante_across"})]),
        view(
            prompt=prompt(
                "enter_amount",
                seat=3,
                wager="across",
                amount=700,
                options=[10_000, 20_000, 30_000],
                code="bet_out_of_range",
            )
        ),
        view(phase="opening", prompt=prompt("cut", step="cut", amount=38)),
        settling("ask_back", 15_000_000, wager="ante_across", hand="three of a kind"),
        settling("take_back", 15_000_000, wager="ante_across", hand="three of a kind"),
        settling("put_back", sum(chips), hand="three of a kind", chips=chips),
        settling(
            "pay", sum(chips), hand="pair of queens", odds=1, chips=chips, cards=["seat_first"], racked=6
        ),
        view(phase="void", prompt=prompt("ask_back", seat=6, wager="down", amount=15_000_000)),
        view(phase="void", prompt=prompt("refund", seat=6, amount=15_000_000)),
    ]


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_the_page_shows_the_sentences_of_the_catalogue(page: Page, served: Served, language: str) -> None:
    opened(page, served, view(), f"?lang={language}")
    for name, shown in gallery().items():
        if name.startswith("prompt-"):
            shows(page, served.shown(shown))
            words = render(whole(shown), language)
            lead = words["hold"]["do"] if shown["hold"] else words["parts"]["prompt"]["do"]
            text, where = page.evaluate(GET_PROMPT)
            assert text == lead, name
            assert where != "", name


GET_PROMPT = """() => ["do", "where"].map((part) => document.querySelector(`.prompt .${part}`).textContent)"""


@pytest.mark.browser
def test_the_measurement_finds_each_kind_of_fault(page: Page, served: Served) -> None:
    """The test breaks the page in each way that the measurement has to find."""
    opened(page, served, view(prompt=prompt("bets_open")))
    spoil = {
        "contrast": "document.querySelector('.prompt .do').style.color = '#444'",
        "cut": "document.querySelector('.key .name').style.fontSize = '60px'",
        "overlap": "document.querySelector('.prompt .more').style.transform = 'translateY(-22px)'",
        "target": "document.querySelector('.key').style.cssText = 'min-height: 0; height: 30px'",
        "covered": "document.querySelector('.refused').hidden = false",
        "letters": "document.querySelector('.next').style.fontSize = '18px'",
        "scrolls": "document.body.style.cssText = 'overflow: auto; height: 2000px'",
    }
    for what, script in spoil.items():
        assert measured(page, "7in")["wrong"] == []
        page.evaluate(script)
        assert any(what in found for found in measured(page, "7in")["wrong"]), what
        page.evaluate(
            "document.querySelectorAll('[style]').forEach((node) => node.removeAttribute('style'));"
            "document.querySelector('.refused').hidden = true"
        )
