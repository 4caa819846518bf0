"""Query that runs in a page and returns its result as JSON."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Frame, Page


def found_by(page: Page | Frame, function: str, argument: Any = None) -> Any:
    """Return the result of a JavaScript function as JSON. Playwright checks each part of any other result in
    Python, which takes longer than most functions run."""
    text = f"async (argument) => JSON.stringify(await ({function})(argument))"
    return json.loads(page.evaluate(text, argument))
