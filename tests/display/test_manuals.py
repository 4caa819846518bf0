"""Every quote, command, file, page and link in the manuals exists, and the manuals can be read at each
size.
"""

from __future__ import annotations

import http.client
import shlex
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.routing import Match, Route

from controller.cli import parser_for
from controller.common.texts.catalogue import catalogue, languages
from controller.game.showing.lamps import LANGUAGE, LampState
from controller.pages.display.explain import READERS
from controller.pages.display.manual_pages import FOLDER, INDEX, MANUALS, QUOTE, file, filled
from controller.pages.display.shell import STATIC
from controller.pages.display.web import make_app
from tests.accessible import violations
from tests.display.fingers import sized
from tests.display.served import Script, Served
from tests.display.views import view
from tests.manuals.followed import UNFOLLOWED, followed_in, instructions
from tests.pit import served as pit_served

ROOT = Path(__file__).resolve().parents[2]
VOID = {"br", "img"}
NAMES = (INDEX, *MANUALS)
WRITTEN = [path for language in languages() for name in NAMES if (path := file(name, language)).exists()]


class Read(HTMLParser):
    """The elements of a manual in order, with their attributes and text. Fails if one is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._open: list[int] = []
        self.elements: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), ""))
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        for at in self._open:
            tag, attributes, text = self.elements[at]
            self.elements[at] = (tag, attributes, text + data)

    def marked(self, attribute: str) -> list[str]:
        """Return the texts of the elements that have this attribute."""
        return [text for _, attributes, text in self.elements if attribute in attributes]


def read(path: Path) -> Read:
    return Read(path.read_text(encoding="utf-8"))


def paths(name: str) -> Iterator[Path]:
    return (path for path in WRITTEN if path.stem == name)


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[pit_served.Served]:
    served = pit_served.Served(tmp_path)
    yield served
    served.stop()


def test_each_manual_is_in_english() -> None:
    assert {path.stem for path in FOLDER.glob("en/*")} == set(NAMES)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_quote_is_a_text_of_a_screen(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    texts = catalogue(path.parent.name)
    for found in QUOTE.finditer(source):
        assert isinstance(texts.node(found[1]), str | list), found[0]
        assert not {"‹", "{"} & set(filled(found[0], texts)), found[0]
    assert "{{" not in QUOTE.sub("", source)
    assert "<kbd" not in source, "a quote is written {{key}}"


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_command_exists_in_the_program(path: Path) -> None:
    manual = read(path)
    for command in manual.marked("data-command"):
        program, *given = shlex.split(command)
        assert program == "crisscross"
        if given != ["--version"]:
            parser_for(given).parse_args(given)
    for command in manual.marked("data-shell"):
        rest = command.partition("-- crisscross ")[2]
        if rest:
            parser_for(shlex.split(rest)).parse_args(shlex.split(rest))
    marked = {*manual.marked("data-command"), *manual.marked("data-shell")}
    loose = [text for tag, _, text in manual.elements if tag == "code" and " " in text and text not in marked]
    assert loose == [], "a command is marked, so that it is parsed here"


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_page_and_link_exists(path: Path, pit: pit_served.Served) -> None:
    manual = read(path)
    for name in (*manual.marked("data-file"), *manual.marked("data-source")):
        assert (ROOT / name).is_file(), name
    routes = [*make_app(Script()).routes, *pit.app.routes]
    links = [str(attributes["href"]) for tag, attributes, _ in manual.elements if tag == "a"]
    pictures = [str(attributes["src"]) for tag, attributes, _ in manual.elements if tag == "img"]
    for picture in pictures:
        assert (STATIC / picture.removeprefix("/static/")).is_file(), "make manuals writes it"
    for link in links:
        _, _, anchor = link.partition("#")
        there = read(file(link.partition("#")[0].rpartition("/")[2], path.parent.name)) if anchor else manual
        assert not anchor or any(each.get("id") == anchor for _, each, _ in there.elements), link
    for address in (*manual.marked("data-page"), *(link.partition("#")[0] for link in links)):
        scope = {"type": "http", "path": address, "method": "GET"}
        assert any(isinstance(r, Route) and r.matches(scope)[0] is Match.FULL for r in routes), address


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", languages()[1:])
def test_a_translation_has_the_same_structure_quotes_and_commands(name: str, language: str) -> None:
    assert shape(file(name, language)) == shape(file(name, languages()[0]))


def shape(path: Path) -> list[object]:
    """Return the parts that a translation must keep: elements, attributes, code, and the keys of the
    quotes."""
    found: list[object] = []
    for tag, attributes, text in read(path).elements:
        keys = sorted(quote[1] for quote in QUOTE.finditer(text))
        kept = {name: value for name, value in attributes.items() if name not in ("alt", "src")}
        picture = (attributes.get("src") or "").rpartition("/")[2]
        found.append((tag, kept, picture, keys, text if tag == "code" else ""))
    return found


def test_the_index_links_to_every_manual() -> None:
    for path in paths(INDEX):
        links = [str(attributes["href"]) for tag, attributes, _ in read(path).elements if tag == "a"]
        assert [link for link in links if "#" not in link] == [f"/manuals/{name}" for name in MANUALS]


ANSWERS = {
    "dealer": ("6s to 10s pushes", "at once", "even blink", "relief comes", "An alert meanwhile ends"),
    "trainee": (
        "practice --trainee",
        "lists each error",
        "a sentence why",
        "your sessions",
        "and nothing else",
    ),
    "floorperson": ("may be signed", "accepts the difference", "void a round", "the round", "lost PIN"),
    "surveillance": ("newest", "What did the shoe read?", "Who decided", "camera", "regulator checks"),
    "technician": ("Bringing up a table", "is dead", "Replace a reader", "--version", "copy of the journal"),
    "pit_manager": ("is a tile", "mock --pit", "come first", "saves what is shown", "Which dealer errs?"),
}
"""Words of the answer to each first-day question of a role, in the order in which the index asks them."""


MAX_SECONDS = 60
"""Maximum seconds from the first screen of the role to an answer, with touches and reading."""
TOUCHES = ("Help", "Manuals", "the question")
TOUCH_SECONDS = 2
WORDS_A_MINUTE = 200


def elements(name: str, language: str) -> list[tuple[str, dict[str, str | None], str]]:
    """Return the elements of a manual as its page shows them; both languages have the same ones."""
    return Read(filled(file(name, language).read_text(encoding="utf-8"), catalogue(language))).elements


def seconds(page: str, anchor: str, words: str, language: str) -> float:
    """Return the seconds from the first screen to the end of the element whose English text has these
    words."""
    english, shown = elements(page, "en"), elements(page, language)
    at = next(number for number, (_, attributes, _) in enumerate(english) if attributes.get("id") == anchor)
    last = max(number for number, (*_, text) in enumerate(english) if number >= at and words in text)
    section, answer = shown[at][2], shown[last][2]
    read = len(section.partition(answer)[0].split()) + len(answer.split())
    return len(TOUCHES) * TOUCH_SECONDS + read * 60 / WORDS_A_MINUTE


@pytest.mark.parametrize("role", ANSWERS)
@pytest.mark.parametrize("language", languages())
def test_the_first_day_questions_of_each_role_are_answered_within_a_minute(role: str, language: str) -> None:
    index = file(INDEX, language).read_text(encoding="utf-8")
    questions = index.partition(f'data-role="{role}">')[2].partition("</ul>")[0]
    found = [
        (str(attributes["href"]), text) for tag, attributes, text in Read(questions).elements if tag == "a"
    ]
    assert len(found) == len(ANSWERS[role]) == 5
    choosing = sum(len(text.split()) for _, text in found) * 60 / WORDS_A_MINUTE
    for (link, _), words in zip(found, ANSWERS[role], strict=True):
        page, _, anchor = link.removeprefix("/manuals/").partition("#")
        assert choosing + seconds(page, anchor, words, language) <= MAX_SECONDS, link


def test_each_picture_is_small_and_has_a_text() -> None:
    files = set((STATIC / "manuals").glob("*/*.png"))
    shown = [each for path in WRITTEN for tag, each, _ in read(path).elements if tag == "img"]
    assert {STATIC / str(each["src"]).removeprefix("/static/") for each in shown} == files
    assert all(each["alt"] and each["width"] and each["height"] for each in shown)
    assert sum(path.stat().st_size for path in files) < 1_500_000


def test_the_position_card_explains_every_lamp() -> None:
    for path in paths("dealer"):
        lamps = [
            attributes["data-lamp"] for _, attributes, _ in read(path).elements if "data-lamp" in attributes
        ]
        assert lamps == [state.value for state in LANGUAGE if state is not LampState.OFF]


def ask(port: int, path: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_instruction_is_tested_or_has_a_reason(path: Path) -> None:
    """The instructions are list items and table rows. The index has links, and the first-day questions are
    not steps."""
    source = path.read_text(encoding="utf-8").partition('<section id="first_day">')[0]
    elements = [] if path.stem == INDEX else Read(source).elements
    for (tag, attributes, text), (inside, _, _) in pairwise([*elements, ("", {}, "")]):
        if tag == "li" or (tag == "tr" and inside == "td"):
            marks = attributes.keys() & {"data-follow", "data-unfollowed", "data-lamp"}
            assert len(marks) == 1, f"mark it data-follow, or data-unfollowed with a reason: {text}"
            assert attributes.get("data-unfollowed", "meaning") in UNFOLLOWED, text


def test_each_marked_instruction_has_a_test() -> None:
    tests = [
        file for place in ("manuals", "browser", "display") for file in (ROOT / "tests" / place).glob("*.py")
    ]
    followed = set[str]().union(*map(followed_in, tests))
    assert followed == set(instructions("en"))


def test_every_language_gives_the_same_instructions() -> None:
    """Each long story (tests/browser/test_manual_*.py) is therefore followed in one language only."""
    assert all(instructions(language) == instructions("en") for language in languages())


def test_a_table_and_a_pit_serve_every_manual(served: Served, pit: pit_served.Served) -> None:
    for port, home in ((served.port, "Dealer page"), (pit.port, "All tables")):
        assert ask(port, "/manuals")[0] == 200
        for name in MANUALS:
            status, text = ask(port, f"/manuals/{name}")
            assert status == 200 and f'href="/">{home}</a>' in text
        assert ask(port, "/manuals/croupier")[0] == 404


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_each_manual_is_accessible_and_no_wider_than_the_screen(
    page: Page, served: Served, sizes: list[str], language: str
) -> None:
    """axe runs in one language: its rules do not depend on words, and a translation has the same elements."""
    for name in NAMES:
        page.goto(f"{served.url}/manuals{'' if name == INDEX else f'/{name}'}?idle=0&lang={language}")
        expect(page.locator("h1")).to_be_visible()
        for size in sizes:
            sized(page, size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, size)
            if size == "phone" and language == languages()[-1]:
                assert violations(page) == [], name


@pytest.mark.browser
def test_the_screens_link_to_the_manuals(page: Page, served: Served, script: Script) -> None:
    script.answer = lambda _request: {"rounds": []}
    served.show(view())
    page.goto(f"{served.url}/?lang=es")
    page.locator(".more-key").click()
    page.locator('.panel [data-value="manuals"]').click()
    page.locator('a[href="/manuals/dealer?lang=es"]').click()
    page.wait_for_url("**/manuals/dealer?lang=es")
    for start in ("/floor", "/rounds"):
        page.goto(f"{served.url}{start}")
        if start == "/floor":
            page.locator(".tabs button:nth-child(3)").click()
        page.locator('a[href="/manuals"]').click()
        page.wait_for_url("**/manuals")


@pytest.mark.browser
@pytest.mark.parametrize("start", ["", "floor", "rounds", "devices", "figures"])
def test_help_links_to_the_first_day_questions_of_the_role(
    page: Page, served: Served, script: Script, start: str
) -> None:
    script.answer = lambda _request: {"rounds": []}
    served.show(view())
    page.goto(f"{served.url}/{start}?lang=es")
    page.locator(".help-key").tap()
    page.locator(".help-head a").tap()
    role = READERS[start or "dealer"]
    page.wait_for_url(f"**/manuals?lang=es#{role}")
    expect(page.locator(f"#{role} .questions a").first).to_be_in_viewport()


@pytest.mark.browser
def test_the_pit_links_to_the_manuals(page: Page, pit: pit_served.Served) -> None:
    page.goto(pit.url)
    page.locator(".help-key").click()
    expect(page.locator(".help-head a")).to_have_attribute("href", "/manuals#pit_manager")
    page.locator(".help-close").click()
    page.locator('a[href="/manuals"]').click()
    page.locator('a[href="/manuals/pit_manager"]').click()
    page.wait_for_url("**/manuals/pit_manager")


@pytest.mark.browser
def test_the_position_card_fits_one_sheet_of_paper(page: Page, served: Served) -> None:
    page.emulate_media(media="print")
    for language in languages():
        page.set_viewport_size({"width": 688, "height": 970})  # A4 without its margins, in CSS pixels
        page.goto(f"{served.url}/manuals/dealer?idle=0&lang={language}")
        box = page.locator("#card").bounding_box()
        assert box is not None and box["height"] <= 930
