"""Check of a page in a real browser by the accessibility rules of axe-core."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

IS_HERE = "() => typeof axe === 'object'"
RUN = "(options) => axe.run(options).then(({ violations }) => violations)"
ONLY_VIOLATIONS = {"resultTypes": ["violations"]}
"""Options of axe. Only violations are reported in detail, because details of satisfied rules take as long as
checking them."""


def violations(page: Page, *rules: str) -> list[str]:
    """Return each violated rule with the reason and the first element that violates it. `rules`: ids of the
    rules to check; all rules are checked if none is given."""
    if not page.evaluate(IS_HERE):
        page.evaluate(Axe().axe_script)
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found = page.evaluate(RUN, {**ONLY_VIOLATIONS, **only})
    return [f"{v['id']}: {v['nodes'][0]['html']} {v['nodes'][0]['failureSummary']}" for v in found]
