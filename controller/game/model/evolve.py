"""Fast `dataclasses.replace` for the large frozen classes of the state.

A round creates hundreds of states, and most fields of each are unchanged. For mypy, `evolve` is `replace`
itself, so mypy reports a misspelt field or a value of a wrong type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["evolve"]

if TYPE_CHECKING:
    from dataclasses import replace as evolve
else:

    def evolve(old, **changes):
        """Return a copy of `old` with `changes`; its class must have no slots. Raises KeyError for an
        unknown field."""
        new = object.__new__(old.__class__)
        values = old.__dict__ | changes
        if len(values) != len(old.__dict__):
            raise KeyError(*(changes.keys() - old.__dict__.keys()))
        object.__setattr__(new, "__dict__", values)
        return new
