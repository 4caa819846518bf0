"""Accessibility rules of axe-core over a page in a real browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

IS_HERE = "() => typeof axe === 'object'"
RUN = "(options) => axe.run(options).then(({ violations }) => violations)"
ONLY_VIOLATIONS = {"resultTypes": ["violations"]}
"""Options of axe: only violations are reported in detail. Details of satisfied rules take as long as checking
them."""


def violations(page: Page, *rules: str) -> list[str]:
    """Return each violated rule with the first element that violates it and the reason. `rules`: ids of the
    rules to check; without them all are checked."""
    if not page.evaluate(IS_HERE):
        page.evaluate(Axe().axe_script)
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = page.evaluate(RUN, {**ONLY_VIOLATIONS, **only})
    return [f"{v['id']}: {v['nodes'][0]['html']} {v['nodes'][0]['failureSummary']}" for v in found]
