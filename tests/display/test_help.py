"""The help explains everything that a screen shows, in every language, and opening it changes nothing."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, differences, explanations, languages, leaves
from controller.game.model.irregularities import Code
from controller.game.model.names import Key, Phase
from controller.game.phases import people_entries
from controller.game.rulebook import wagers
from controller.game.showing.lamps import LANGUAGE, RHYTHMS
from controller.game.table import KEY_HANDLERS
from controller.pages.display.explain import explain, meanings, of_page, section
from controller.pages.display.shell import PAGES
from controller.pages.display.words import refusal_text
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from tests.accessible import violations
from tests.display.fingers import LEAST, TARGET, opened, sized
from tests.display.served import Script, Served
from tests.display.test_words import BANNED, named_in_the_core
from tests.display.views import alert, hold, prompt, prompts, reason, settling, view, whole
from tests.game.every_phase import AT
from tests.pit.served import Served as ServedPit

HELP = "texts/help"


def missing(language: str, kind: str, names: Iterator[str] | list[str]) -> list[str]:
    texts = explanations(language)
    return [name for name in names if not texts.node(f"{kind}.{name}")]


def key_refusals() -> set[str]:
    """Return the codes of every refusal in the modules that judge key presses, read from their source."""
    modules = {verify.__module__ for phases in KEY_HANDLERS.values() for verify, _ in phases.values()}
    modules |= {people_entries.__name__, wagers.__name__}
    calls = (
        node
        for name in modules
        for node in ast.walk(ast.parse(inspect.getsource(sys.modules[name])))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Refusal" and node.args
    )
    return {_code(node.args[0]) for node in calls}


def _code(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Attribute):
        return str(Code[node.attr])
    assert isinstance(node, ast.Name)
    return str(getattr(sys.modules["controller.game.phases.settlement"], node.id))


NO_KEY = {
    "reader_answers", "nothing_set_aside", "not_asked_for", "card_already_seen", "nothing_held",
    "not_offered", "reason_needed", "deck_removed", "same_back", "device_counts", "not_folded", "fold_stands",
    "stale",
}  # fmt: skip
"""Codes of refusals for an entry, a report, a brought deck or a decision. None of them is the reason why a
key is dark."""


@pytest.mark.parametrize("language", languages())
def test_every_prompt_code_lamp_key_and_reason_is_explained(language: str) -> None:
    kinds = named_in_the_core("Prompt") | set(catalogue("en").texts["prompts"])
    assert missing(language, "prompts", sorted(kinds)) == []
    assert missing(language, "codes", [*Code, "payout_limit"]) == []
    assert (
        missing(
            language, "lamps", [f"{state}.{part}" for state in LANGUAGE for part in ("rhythm", "meaning")]
        )
        == []
    )
    assert {look.rhythm for look in LANGUAGE.values()} == set(RHYTHMS)
    assert missing(language, "keys", [f"{key}.{part}" for key in Key for part in ("for", "not_now")]) == []
    assert "shoe_deals" in key_refusals()
    assert missing(language, "reasons", sorted(key_refusals() - NO_KEY)) == []
    assert [code for code in key_refusals() if "‹" in refusal_text(code, {}, language)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", pack_files())
def test_every_section_that_a_rule_pack_cites_is_explained(key: str, language: str) -> None:
    pack = load_pack(find_pack(key))
    cited = {*pack.citations.values(), *(ruling.citation for ruling in pack.rulings.values())}
    cited |= {section for ruling in pack.rulings.values() for section in ruling.by_method.values()}
    texts = explanations(language)
    assert [each for each in sorted(cited) if "‹" in (section(texts, each) or "‹")] == []


def test_every_explanation_cites_a_section() -> None:
    packs = [load_pack(find_pack(key)) for key in pack_files()]
    cited = {citation for pack in packs for citation in pack.citations.values()}
    cited |= {
        each for pack in packs for r in pack.rulings.values() for each in (r.citation, *r.by_method.values())
    }
    assert set(meanings()) == cited
    assert set(meanings().values()) == set(explanations("en").texts["sections"])


@pytest.mark.parametrize("language", languages())
def test_the_explanations_have_the_same_keys_and_words_of_the_trade(language: str) -> None:
    texts = explanations(language)
    assert texts.texts is explanations("en").texts or language != "en"
    assert differences(explanations("en"), texts) == []
    entries = [(key, text) for key, choice in leaves(texts.texts) for text in choice]
    assert [key for key, text in entries if re.search(BANNED.get(language, "(?!)"), text)] == []
    assert [key for key, text in entries if key.startswith("sections.") and not text.endswith(".")] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("page", [*PAGES, "pit", "manuals", "felt"])
def test_every_page_is_explained_in_the_words_that_name_its_parts(page: str, language: str) -> None:
    words = of_page(page, language)
    assert len(words["page"]["rows"]) >= (1 if page == "manuals" else 3)
    assert "‹" not in str(words) and "{" not in str([row["title"] for row in words["page"]["rows"]])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("phase", list(Phase))
def test_a_real_table_is_explained_in_every_phase(phase: Phase, language: str) -> None:
    seen = AT[phase]().table.view()
    assert set(seen["dark"]) == {key for key, lit in seen["keys"].items() if not lit}
    groups = explain(seen, language)
    assert len(groups) >= 4
    assert all(row["text"] for group in groups for row in group["rows"])
    assert "‹" not in str(groups)


@pytest.mark.parametrize("language", languages())
def test_every_view_of_the_gallery_is_explained(language: str) -> None:
    shown = [*prompts().values(), *(view(alerts=[alert(code)]) for code in Code)]
    shown += [
        view(hold=hold(code), prompt=prompt("held", code=code)) for code in Code if code.kind.grade == "hold"
    ]
    for each in shown:
        assert "‹" not in str(explain(whole(each), language)), each["prompt"]


def test_a_dark_key_is_explained_by_the_reason_that_the_table_gives() -> None:
    seen = view(dark={"confirm": reason("not_yet", wager="across", lies=1000)})
    seen["keys"]["confirm"] = False
    help_text = str(explain(whole(seen), "en"))
    assert "Not yet: Across $10 is still in the circle. The reader does not see this step done." in help_text
    assert "NO MORE BETS', 'text': 'It closes the bets. Bets are open only between" in help_text


def test_the_main_message_is_explained_first() -> None:
    quiet, stopped = (
        explain(whole(each), "en") for each in (view(), view(hold=hold(), prompt=prompt("held")))
    )
    assert (quiet[0]["name"], stopped[0]["name"]) == ("Do now", "What is wrong")


# ------------------------------------------------------------------ on the screen

BUSY: dict[str, Any] = {
    "alerts": [alert(), alert("reader_lost", "notice", 8, seat=5, citation="house procedure")],
}
ADDRESSES = ("/", "/floor", "/table", "/rounds", "/devices", "/figures", "/manuals", "/manuals/dealer")
FITS = """([target, least]) => {
  const panel = document.querySelector("dialog.help"), body = panel.querySelector(".help-body");
  const wrong = [], inside = (box) => box.left >= -1 && box.right <= innerWidth + 1
    && box.top >= -1 && box.bottom <= innerHeight + 1;
  if (!inside(panel.getBoundingClientRect())) wrong.push("panel");
  if (body.scrollWidth > body.clientWidth) wrong.push("wider");
  const key = panel.querySelector(".help-close").getBoundingClientRect();
  if (!inside(key) || Math.min(key.width, key.height) < target) wrong.push("close");
  const small = (node) => parseFloat(getComputedStyle(node).fontSize) < least;
  wrong.push(...[...body.querySelectorAll("p, h3")].filter(small).map((node) => node.textContent));
  body.scrollTop = body.scrollHeight;
  const last = [...body.querySelectorAll("li")].at(-1).getBoundingClientRect();
  const area = body.getBoundingClientRect();
  if (last.bottom > area.bottom + 1) wrong.push("end");
  body.scrollTop = 0;
  return wrong;
}"""


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_help_opens_and_closes_with_one_touch_on_every_page_and_sends_nothing(
    page: Page, served: Served, sizes: list[str], script: Script, language: str
) -> None:
    """axe runs only at the size of the dealer's screen and in one language, because its rules do not depend
    on words."""
    script.answer = lambda _request: {"rounds": []}
    served.show(settling("pay", 9000, hand="straight", odds=5) | BUSY)
    for address in ADDRESSES:
        page.goto(f"{served.url}{address}?lang={language}")
        for size in sizes:
            sized(page, size)
            page.locator(".help-key").tap()
            expect(page.locator("dialog.help h3").last).to_have_text(
                explanations(language).plain("groups.page")
            )
            if address in ("/", "/floor"):
                expect(page.locator("dialog.help h3")).to_have_count(6)
            least = LEAST[size] if address == "/" else 0
            target = TARGET[size] if address in ("/", "/floor") else 44
            assert page.evaluate(FITS, [target, least]) == [], (address, size)
            if size == "7in" and language == languages()[-1]:
                assert violations(page) == [], address
            page.locator(".help-close").tap()
            expect(page.locator("dialog.help")).to_be_hidden()
    assert script.touched == []


@pytest.mark.browser
def test_the_open_pad_and_typed_digits_are_kept_under_help(page: Page, served: Served) -> None:
    opened(page, served, prompts()["enter_amount"])
    page.locator('.panel [data-char="7"]').tap()
    page.locator(".help-key").tap()
    expect(page.locator("dialog.help")).to_contain_text("The reader of this circle does not answer")
    page.locator(".help-key").tap()
    expect(page.locator("dialog.help")).to_be_hidden()
    expect(page.locator(".panel .typed")).to_contain_text("7")


@pytest.mark.browser
def test_a_prompt_that_comes_while_help_is_open_is_shown_explained_and_has_its_pad(
    page: Page, served: Served
) -> None:
    opened(page, served, view())
    page.locator(".help-key").tap()
    expect(page.locator("dialog.help")).to_contain_text("Ask this player for the bet")
    served.show(prompts()["count_stub"])
    expect(page.locator(".prompt .do")).to_have_text("COUNT THE STUB")
    expect(page.locator("dialog.help")).to_contain_text("Count the rest of the deck face down")
    expect(page.locator('.key[data-key="floor"]')).to_be_visible()
    page.locator(".help-close").tap()
    expect(page.locator(".panel .typed")).to_be_visible()


@pytest.mark.browser
@pytest.mark.usefixtures("alone")
def test_a_screen_that_has_lost_the_table_shows_no_help_over_it(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/table")
    page.locator(".help-key").tap()
    served.stop()
    expect(page.locator(".lost h1")).to_be_visible()
    expect(page.locator("dialog.help")).to_have_count(0)


@pytest.mark.browser
def test_an_explanation_that_ends_early_counts_as_none_and_the_next_view_is_explained(
    page: Page, served: Served
) -> None:
    page.route("**/api/help*", lambda route: route.fulfill(body='[{"name": "Now", "rows"'), times=1)
    opened(page, served, view())
    page.locator(".help-key").tap()
    expect(page.locator(".help-lost")).to_have_text(of_page("dealer", "en")["unanswered"])
    served.show(settling("push", 3000, hand="pair of 10s"))
    expect(page.locator(".help-lost")).to_have_count(0)
    expect(page.locator("dialog.help h3")).not_to_have_count(1)


@pytest.mark.browser
def test_the_pages_of_a_pit_have_the_key_too(page: Page, tmp_path: Path) -> None:
    pit = ServedPit(tmp_path)
    try:
        for address in ("/", "/figures", "/refused", "/manuals"):
            page.goto(f"{pit.url}{address}?lang=es")
            page.locator(".help-key").tap()
            expect(page.locator("dialog.help")).to_be_visible()
            assert page.evaluate(FITS, [44, 0]) == [], address
    finally:
        pit.stop()


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_the_tour_begins_when_asked_and_covers_neither_prompt_nor_keys(
    page: Page, served: Served, sizes: list[str], script: Script, language: str
) -> None:
    opened(page, served, settling("push", 3000, hand="pair of 10s"), f"?lang={language}")
    steps = of_page("dealer", language)["steps"]
    assert 5 <= len(steps) <= 8
    for size in sizes:
        sized(page, size)
        expect(page.locator(".tour")).to_have_count(0)
        page.locator(".help-key").tap()
        page.locator(".help-head button").first.tap()
        for step in steps:
            expect(page.locator(".tour h2")).to_have_text(step["name"])
            assert page.evaluate(WALKS) == [], (size, step)
            if step is steps[0]:
                assert violations(page) == [], size
            page.locator(".tour .go").tap()
    expect(page.locator(".tour")).to_have_count(0)
    assert script.touched == []


WALKS = """() => {
  const box = (node) => node.getBoundingClientRect(), card = document.querySelector(".tour"), at = box(card);
  const apart = (other) => other.right <= at.left + 1 || at.right <= other.left + 1
    || other.bottom <= at.top + 4 || at.bottom <= other.top + 4;
  const wrong = [], cut = (node) => node.scrollWidth > node.clientWidth + 1;
  if (at.left < -1 || at.right > innerWidth + 1) wrong.push("wide");
  if (at.top < 0 || at.bottom > innerHeight) wrong.push("outside");
  const parts = [...document.querySelectorAll(".prompt, .keys, [data-toured]")];
  wrong.push(...parts.filter((node) => !apart(box(node))).map((node) => node.className));
  if (!document.querySelector("[data-toured]")) wrong.push("nothing framed");
  wrong.push(...[...card.querySelectorAll("h2, p, button")].filter(cut).map((node) => node.textContent));
  return wrong;
}"""
