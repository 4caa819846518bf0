"""The same Chromium as the display's tests have, started in one way and once a module."""

from __future__ import annotations

from tests.display.conftest import browser

__all__ = ["browser"]
