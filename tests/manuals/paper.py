"""`python -m tests.manuals.paper FOLDER` prints each manual as a PDF file (A4) into FOLDER/LANGUAGE.

SOURCE_DATE_EPOCH (seconds since 1970, UTC) is the date in the files: the same sources and the same Chromium
give the same bytes.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from controller.common.texts.catalogue import languages
from controller.pages.display.manual_pages import MANUALS
from tests.display.served import Script, Served
from tests.shared_browser import CHROMIUM

DATE = re.compile(rb"(/(?:Creation|Mod)Date \(D:)\d{14}")
"""Dates that Chromium writes into a PDF file, in UTC."""


def print_manuals(page: Page, url: str, folder: Path) -> Iterator[Path]:
    """Yield each manual, printed from the pages at that address."""
    for language in languages():
        (folder / language).mkdir(parents=True, exist_ok=True)
        for name in MANUALS:
            page.goto(f"{url}/manuals/{name}?lang={language}&idle=0")
            file = folder / language / f"{name}.pdf"
            file.write_bytes(dated(page.pdf(format="A4", prefer_css_page_size=True)))
            yield file


def dated(content: bytes) -> bytes:
    """Return a PDF file with the date of SOURCE_DATE_EPOCH, unaltered if that is not set. The length is kept:
    the file addresses its objects by their offsets."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return content
    date = datetime.fromtimestamp(int(epoch), UTC).strftime("%Y%m%d%H%M%S").encode()
    return DATE.sub(lambda found: found[1] + date, content)


def main(arguments: list[str]) -> int:
    """Print all manuals into a folder. Return 2 if there is no Chromium or the folder was not given."""
    if len(arguments) != 1:
        print("usage: python -m tests.manuals.paper FOLDER", file=sys.stderr)
        return 2
    if not Path(CHROMIUM).is_file():
        print(
            f"manuals: no Chromium at {CHROMIUM}: install it, or name it by CRISSCROSS_CHROMIUM",
            file=sys.stderr,
        )
        return 2
    served = Served(Script())
    try:
        with (
            sync_playwright() as playwright,
            closing(playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])) as browser,
        ):
            for file in print_manuals(browser.new_page(), served.url, Path(arguments[0])):
                print(file)
    finally:
        served.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
