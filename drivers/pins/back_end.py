"""The error of a pin back end that is gone, shared by every back end and by what drives pins."""

from __future__ import annotations


class BackEndLost(ConnectionError):
    """Raised if the back end is gone; it has logged that itself, so that nothing else logs it again."""
