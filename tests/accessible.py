"""Accessibility rules of axe-core over a page in a real browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

ONLY_VIOLATIONS = {"resultTypes": ["violations"]}
"""Details of the rules that a page keeps take axe as long as the rules themselves."""


def violations(page: Page) -> list[str]:
    """Return each violated rule with the first element that violates it and what is wrong there."""
    found = Axe().run(page, options=ONLY_VIOLATIONS).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html']} {v['nodes'][0]['failureSummary']}" for v in found]
