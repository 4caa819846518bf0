"""Acts of a dealer on the page: open it, press a key, close a panel, read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page

from tests.display.conftest import SIZES
from tests.display.served import Served
from tests.in_page import found_by

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
# 12 mm in px: a 7-inch panel of 800 x 480 is 154 mm wide, a 10-inch panel of 1280 x 800 is 217 mm wide. A
# phone is only for viewing and for calling the floor: 44 px (WCAG 2.5.5).
TARGET = {"7in": 62.3, "desk": 70.8, "phone": 44.0}
# 3.5 mm in px, the minimum height of letters for a dealer who stands before the screen.
LEAST = {"7in": 18.2, "desk": 20.6, "phone": 0.0}


SHOWS = """async (version) => {
  const shown = () => Number(document.querySelector("[data-version]")?.dataset.version);
  while (!(shown() >= version)) await new Promise((go) => setTimeout(go, 2));
}"""


def measured(page: Page, size: str, version: int | None = None) -> dict[str, Any]:
    """Return the faults of the picture and the positions of its parts. `version`: version of the view to wait
    for, if any."""
    return dict(found_by(page, MEASURE, [version, TARGET[size], LEAST[size]]))


def sized(page: Page, size: str) -> None:
    """Set the page to one of the sizes in SIZES, by its name."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def shows(page: Page | Frame, version: int) -> None:
    """Wait until the page shows the view of `version`, as returned by `Served.shown`."""
    page.evaluate(SHOWS, version)


def opened(page: Page, served: Served, shown: dict[str, Any], query: str = "") -> Page:
    served.show(shown)
    page.goto(f"{served.url}/{query}")
    page.wait_for_selector(".page")
    return page


def press(page: Page, key: str) -> None:
    page.locator(f'.key[data-key="{key}"]').tap()


def press_lit(page: Page | Frame, key: str, version: int) -> None:
    """Press a key that is lit in the view of `version`, once the page shows that view.

    If a later view has darkened the key, the press does nothing. Playwright itself would wait until the key
    is lit, while the drill waits for another act."""
    shows(page, version)
    page.locator(f'.key[data-key="{key}"]').tap(force=True)


def close(page: Page) -> None:
    page.locator(".more-key").tap()
