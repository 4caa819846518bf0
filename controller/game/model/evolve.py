"""`dataclasses.replace` for the big frozen classes of the state, copied in one go.

A round makes hundreds of states, and most of each stays as it was. For mypy it is `replace` itself, so
that a misspelt field or a value of a wrong type is an error before anything runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["evolve"]

if TYPE_CHECKING:
    from dataclasses import replace as evolve
else:

    def evolve(old, **changes):
        """`old` with other values; its class has no slots. KeyError for a field that is not there."""
        new = object.__new__(old.__class__)
        values = old.__dict__ | changes
        if len(values) != len(old.__dict__):
            raise KeyError(*(changes.keys() - old.__dict__.keys()))
        object.__setattr__(new, "__dict__", values)
        return new
