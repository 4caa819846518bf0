"""Accessibility rules of axe-core over a page in a real browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

IS_HERE = "() => typeof axe === 'object'"
RUN = "(options) => axe.run(options).then(({ violations }) => violations)"
ONLY_VIOLATIONS = {"resultTypes": ["violations"]}
"""Details of the rules that a page keeps take axe as long as the rules themselves."""


def violations(page: Page, *rules: str) -> list[str]:
    """Return each violated rule with the first element that violates it and what is wrong there. `rules`: ids
    of the only rules to check; all without them."""
    if not page.evaluate(IS_HERE):
        page.evaluate(Axe().axe_script)
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = page.evaluate(RUN, {**ONLY_VIOLATIONS, **only})
    return [f"{v['id']}: {v['nodes'][0]['html']} {v['nodes'][0]['failureSummary']}" for v in found]
