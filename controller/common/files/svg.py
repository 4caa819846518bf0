"""Functions that write elements of an SVG drawing as text."""

from __future__ import annotations

from html import escape

SVG = "http://www.w3.org/2000/svg"
"""Name space of a drawing, its attribute `xmlns`."""


def element(name: str, content: str | None = None, /, **attributes: object) -> str:
    """Return an element. `content`: elements or escaped text; None for an empty element. In the name of an
    attribute, `_` is written as `-`, and a `_` at its end is omitted (`class_`)."""
    head = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{head}/>" if content is None else f"<{name}{head}>{content}</{name}>"


def text_element(words: str, /, **attributes: object) -> str:
    """Return a line of text."""
    return element("text", escape(words), **attributes)
