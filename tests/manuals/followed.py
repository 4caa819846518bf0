"""Follows instructions of the manuals on a page.

A quote in a marked element is pressed if it names a key; otherwise it must be readable on the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, expect

from controller.common.texts.catalogue import FIRST_LANGUAGE, SEPARATOR, Catalogue
from controller.pages.display.manual_pages import MANUALS, QUOTE, file

ANSWERED = """async () => {
  while (document.querySelector(".key[data-sent]")) await new Promise((go) => setTimeout(go, 5));
  return document.querySelector(".refused")?.textContent ?? "";
}"""
"""Script that returns the text of a refusal, once the pressed key has its answer."""
CONTROLS = "button:visible, a:visible, summary:visible"
ENABLED = ":not([disabled]):not([aria-disabled=true])"
MAX_PRESSES = 40
"""Maximum number of presses of a key that is refused because its prompt has just changed."""
UNFOLLOWED = {
    "meaning": "It names what a word, a lamp or a report means; nothing is to be done.",
    "eyes": "A person compares the table with the screen.",
    "people": "A person speaks to another one, writes or hands something over.",
    "unseen": "No reader sees it, and no key is pressed.",
    "device": "It takes a real device that fails.",
    "system": "Tests of the daemon do it: `make test-system`, `tests/faults`, `tests/journal`.",
}
"""Reasons for not following an instruction, by the value of its `data-unfollowed`."""
MARKED = re.compile(r'<(\w+)[^>]* data-follow="(\w+)"[^>]*>(.*?)</\1>', re.DOTALL)
COMMAND = re.compile(r"<code data-(?:command|shell)>([^<]*)</code>")


def instructions(language: str, *manuals: str) -> dict[str, list[str]]:
    """Return the keys of the quotes, in their order, in each marked element of these manuals, by the
    element's name."""
    found: dict[str, list[str]] = {}
    for manual in manuals or MANUALS:
        for _, name, inside in MARKED.findall(file(manual, language).read_text(encoding="utf-8")):
            assert name not in found, name
            found[name] = [quote[1] for quote in QUOTE.finditer(inside)]
    return found


def commands(name: str) -> list[str]:
    """Return the commands of an instruction, by the name of its mark."""
    sources = [file(manual, FIRST_LANGUAGE).read_text(encoding="utf-8") for manual in MANUALS]
    insides = [inside for source in sources for _, found, inside in MARKED.findall(source) if found == name]
    return [command for inside in insides for command in COMMAND.findall(inside)]


def followed_in(test: Path) -> set[str]:
    """Return the names of the instructions that the source of a test follows."""
    return set(re.findall(r'(?:follow|find|commands|shoe_held)\("(\w+)"', test.read_text(encoding="utf-8")))


def pattern(texts: Catalogue, key: str, start: str = "") -> re.Pattern[str]:
    """Return a pattern that matches a text with any values; for a text in segments, its first segment."""
    node = texts.node(key)
    choices = [str(each).split(SEPARATOR)[0] for each in (node if isinstance(node, list) else [node])]
    words = (re.sub(r"\\\{\w+\\\}", ".+", re.escape(choice)) for choice in choices)
    return re.compile(f"{start}({'|'.join(words)})", re.IGNORECASE)


class Follower:
    """A reader of the manuals at a page. `left`: names of the instructions that have not been followed."""

    def __init__(self, page: Page, texts: Catalogue, *manuals: str) -> None:
        self.page, self.texts = page, texts
        self._found = instructions(texts.language, *manuals)
        self.left = set(self._found)

    def follow(
        self, name: str, *, only: str = "", without: str = "", typed: Mapping[str, str] | None = None
    ) -> None:
        """Follow one instruction. `only`, `without`: patterns of the keys that are followed or left out.
        `typed`: text to type after a quote, by its key."""
        for key in self._quoted(name, only, without):
            self.take(key)
            self.type((typed or {}).get(key, ""))

    def find(self, name: str, *, only: str = "") -> None:
        """Find the texts of one instruction on the page without pressing any. `only`: as in `follow`."""
        for key in self._quoted(name, only, ""):
            expect(self.words(key).first, key).to_be_visible()

    def _quoted(self, name: str, only: str, without: str) -> list[str]:
        self.left.discard(name)
        keys = self._found[name]
        return [key for key in keys if re.match(only, key) and not (without and re.match(without, key))]

    def take(self, key: str) -> None:
        """Press the key that has this text, or find the text on the page."""
        control = self.control(key)
        if not control.count():
            expect(control.or_(self.words(key)).first, key).to_be_visible()
        if control.count():
            self.press(control.first)

    def words(self, key: str) -> Locator:
        """Return the visible elements that have this text."""
        return self.page.locator("body > :visible").filter(has_text=pattern(self.texts, key))

    def control(self, key: str) -> Locator:
        """Return the enabled keys and links that begin with this text."""
        starts = pattern(self.texts, key, start=r"^\s*")
        enabled = self.page.locator(", ".join(f"{each}{ENABLED}" for each in CONTROLS.split(", ")))
        return enabled.filter(has_text=starts)

    def press(self, control: Locator) -> None:
        """Tap the control, and tap again while the prompt is too new."""
        too_new = pattern(self.texts, "refusals.too_soon")
        for _ in range(MAX_PRESSES):
            control.tap()
            if not too_new.search(self._refused()):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("every press was refused")

    def _refused(self) -> str:
        """Return the text of a refusal, or "" if the press has left the page."""
        try:
            return str(self.page.evaluate(ANSWERED))
        except Error as left:
            if "navigation" not in str(left):
                raise
            return ""

    def type(self, word: str) -> None:
        """Type into the pad of the page, whose keys show the same characters."""
        for char in word:
            expect(self.page.locator(f'button[data-char="{char}"]:visible')).to_be_enabled()
        self.page.keyboard.type(word)

    def sign(self, reason: bool = True) -> None:
        """Choose a reason if one is asked for, type badge and PIN, and repeat the decision."""
        if reason:
            self.press(self.page.get_by_role("button", name=self.reason(), exact=True))
        self.type("B1")
        self.page.locator(".enter:visible").tap()
        self.type("1234")
        self.page.locator(".enter:visible").tap()
        expect(self.page.locator(".refused")).to_contain_text(f"{self.texts.plain('page.decided')}: ")

    def reason(self) -> str:
        """Return the first reason of the floor page."""
        return self.texts.plain("page.reasons").split("|")[0]
