"""`make manuals`: plays a mock table with a fixed seed, photographs its pages in Chromium into the manuals'
folder of pictures, and prints each manual as a PDF file into `dist/manuals`. The clock is UTC.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from controller.common.texts.catalogue import catalogue, languages
from controller.pages.display.manual_pages import SHOTS
from controller.record.timeline import reader
from controller.record.timeline.archive import Archive
from tests.display.devices import devices
from tests.display.served import Script, Served
from tests.manuals.paper import print_manuals
from tests.manuals.played import played
from tests.pit.published_tables import Table
from tests.pit.served import Served as PitServed
from tests.shared_browser import CHROMIUM

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "dist" / "manuals"
MAX_BYTES = 1_500_000
"""Maximum size of all pictures together, since they are part of the package."""
SCREEN, DESK = {"width": 800, "height": 480}, {"width": 1000, "height": 640}
ROUNDS, TILES, DEVICES = {**DESK, "height": 480}, {**DESK, "height": 390}, {"width": 1280, "height": 640}
READ = "(reading) => !document.body.innerText.includes(reading)"
"""Script that returns whether no part of a page still waits for its data."""
Show = Callable[[Page, str], None]


class Shots:
    """Pages to be photographed. `views`: result of `played`."""

    def __init__(self, served: Served, pit: PitServed, views: Mapping[str, Mapping[str, Any]]) -> None:
        self._served, self._pit, self._views = served, pit, views

    def each(self) -> Iterator[tuple[str, Mapping[str, int], Show]]:
        """Yield name, size and a function that shows the page in a language."""
        for name in ("ask", "pay"):
            yield f"dealer_{name}", SCREEN, self._table(name, "/")
        yield "floorperson_hold", DESK, self._table("hold", "/floor")
        yield "surveillance_rounds", ROUNDS, self._table("ask", "/rounds", "&find=b1")
        yield "surveillance_round", DESK, self._table("ask", "/rounds/3")
        yield "technician_devices", DEVICES, self._table("ask", "/devices")
        yield "pit_manager_tables", TILES, self._floor

    @property
    def url(self) -> str:
        """Return the address of the table's pages."""
        return self._served.url

    def _floor(self, page: Page, language: str) -> None:
        self._goto(page, self._pit.url, "/", language)

    def _table(self, name: str, path: str, query: str = "") -> Show:
        def show(page: Page, language: str) -> None:
            self._served.show(self._views[name])
            self._goto(page, self._served.url, path, f"{language}{query}")

        return show

    def _goto(self, page: Page, url: str, path: str, language: str) -> None:
        page.goto(f"{url}{path}?lang={language}")
        page.wait_for_function("() => document.querySelector('h1, .prompt .do')?.textContent")
        page.evaluate("() => document.fonts.ready")
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        page.wait_for_function(READ, arg=catalogue(language.partition("&")[0]).plain("page.reading_first"))


def table(number: int, rounds: int) -> Table:
    """Return a table of the pit that has published `rounds` rounds."""
    found = Table(f"CC-{number:02}", f"{number:08}")
    for _ in range(rounds):
        found.play(dealer=f"70{number:02}")
    return found


@contextmanager
def pages(folder: Path) -> Iterator[Shots]:
    """Serve the pages of a played table and of a pit with three tables, each on its own port. Must be entered
    before Playwright, which runs an event loop in this thread."""
    journal = folder / "journal.db"
    views = asyncio.run(played(journal))
    script = Script()
    archive = Archive(journal)
    script.devices_data = devices("silent")
    script.answer = lambda request: reader.answer_request(archive, request)
    served, pit = Served(script), PitServed(folder)
    alerted, called = table(2, 3), table(3, 4)
    alerted.add_event("alert", id=1, code="overpaid", seat=3, wager="across")
    called.add_event("floor_called", who="7003")
    pit.receive(table(1, 5), alerted, called)
    with closing_served(served, pit):
        yield Shots(served, pit, views)


@contextmanager
def closing_served(*servers: Served | PitServed) -> Iterator[None]:
    try:
        yield
    finally:
        for server in servers:
            server.stop()


def photograph(page: Page, shots: Shots, folder: Path) -> int:
    """Write the pictures of all languages. Return their bytes."""
    total = 0
    for language in languages():
        (folder / language).mkdir(parents=True, exist_ok=True)
        for name, size, show in shots.each():
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            show(page, language)
            file = folder / language / f"{name}.png"
            page.screenshot(path=file, animations="disabled", caret="hide")
            total += file.stat().st_size
    return total


def main() -> int:
    """Write pictures and PDF files. Return 1 if the pictures are too large."""
    os.environ.setdefault("TZ", "UTC")
    with (
        tempfile.TemporaryDirectory() as folder,
        pages(Path(folder)) as shots,
        sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])) as browser,
    ):
        page = browser.new_page(reduced_motion="reduce")
        total = photograph(page, shots, SHOTS)
        print(f"{total} bytes of pictures in {SHOTS.relative_to(ROOT)}")
        for file in print_manuals(page, shots.url, PAPER):
            print(file.relative_to(ROOT))
    return 0 if total <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
