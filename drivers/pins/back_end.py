"""The error of a lost pin back end, shared by all back ends and by the code that drives pins."""

from __future__ import annotations


class BackEndLost(ConnectionError):
    """Raised if the back end is lost. The back end has already logged this; other code must not log it
    again.
    """
